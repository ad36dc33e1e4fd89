import type { Row } from '#db/tables.ts';
import type { ChangedRecord } from '../plan/plan.ts';
import { insertInBatches, mapLazily } from './insert-rows.server.ts';
import type { WriteContext } from './write-context.ts';

type RecordColumn = 'aircraft_id' | 'user_id' | 'flight_log_id' | 'squawk_id' | 'inspection_id';

interface ImportedRow {
  row: number | null;
  id: number;
  sourceId?: string | null;
  before?: object;
  after?: object;
}

/** Notes which records came from which rows. */
export async function writeImportRows(
  { trx, schoolId, importId }: WriteContext,
  column: RecordColumn,
  rows: Iterable<ImportedRow>,
): Promise<void> {
  const types = { ...TYPES, [column]: 'integer' };
  const values = mapLazily(rows, ({ row, id, sourceId = null, before, after }) => ({
    school_id: schoolId,
    import_id: importId,
    row_number: row,
    source_id: sourceId,
    [column]: id,
    before,
    after,
  }));
  await insertInBatches(trx, 'import_rows', types, values);
}

/** Gives records that are there already their new values. */
export async function writeChanges(
  context: WriteContext,
  table: 'aircraft' | 'inspections',
  column: 'aircraft_id' | 'inspection_id',
  changed: ChangedRecord[],
): Promise<void> {
  const { trx, schoolId, onProgress } = context;
  for (const { id, after } of changed) {
    await trx.updateTable(table).set(after).where('school_id', '=', schoolId).where('id', '=', id).execute();
  }
  await writeImportRows(context, column, changed);
  await onProgress(changed.length);
}

const TYPES: Partial<Record<keyof Row<'import_rows'>, string>> & Record<string, string> = {
  school_id: 'integer',
  import_id: 'integer',
  row_number: 'integer',
  source_id: 'text',
  before: 'jsonb',
  after: 'jsonb',
};
