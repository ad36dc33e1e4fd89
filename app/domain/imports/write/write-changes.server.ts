import type { ChangedRecord } from '../plan/plan.ts';
import { writeImportRows } from './import-rows.server.ts';
import type { WriteContext } from './write-context.ts';

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
