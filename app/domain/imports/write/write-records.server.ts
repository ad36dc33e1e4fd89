import { sql } from 'kysely';
import type { Trx } from '#db/connect.server.ts';
import type { Database, Row } from '#db/tables.ts';
import { IMPORT_BATCH_ROWS } from '#app/limits.ts';
import type { ImportOptions } from '../options.server.ts';
import type { ChangedRecord } from '../plan/plan.ts';

export interface WriteContext {
  trx: Trx;
  schoolId: number;
  importId: number;
  /** Whose records are that the file names nobody for. */
  owner: { id: number; username: string };
  /** Null: on the server. */
  doneBy: number | null;
  timeZone: string;
  options: ImportOptions;
  /** Of a password that nobody knows. */
  passwordHash: string;
  onProgress: (rows: number) => Promise<void>;
}

/** The tables that imports add records to, with the column by which `import_rows` names each. */
export const RECORD_ID_COLUMNS = {
  aircraft: 'aircraft_id',
  users: 'user_id',
  flight_logs: 'flight_log_id',
  squawks: 'squawk_id',
  inspections: 'inspection_id',
} as const;

export type RecordTable = keyof typeof RECORD_ID_COLUMNS;

type Columns<Table extends keyof Database> = Partial<Record<keyof Row<Table>, unknown>>;

/** Inserts each record, and notes of which row it came, with what `after` says of it; returns them with their ids. */
export async function addRecords<Table extends RecordTable, Added extends { row: number }>(
  context: WriteContext,
  table: Table,
  added: Added[],
  toColumns: (record: Added) => Columns<Table>,
  afterOf?: (record: Added) => object | undefined,
): Promise<(Added & { id: number })[]> {
  const { trx, schoolId, onProgress } = context;
  const ids = await takeIds(trx, table, added.length);
  const records = added.map((record, at) => ({ ...record, id: ids[at] ?? 0 }));
  const rows = mapLazily(records, (record) => ({ id: record.id, school_id: schoolId, ...toColumns(record) }));
  await insertInBatches(trx, table, rows, onProgress);
  const imported = mapLazily(records, (record) => ({ row: record.row, id: record.id, after: afterOf?.(record) }));
  await writeImportRows(context, table, imported);
  return records;
}

/** Gives records that are there already their new values. */
export async function changeRecords(
  context: WriteContext,
  table: 'aircraft' | 'inspections',
  changed: ChangedRecord[],
) {
  const { trx, schoolId, onProgress } = context;
  for (const { id, after } of changed)
    await trx.updateTable(table).set(after).where('school_id', '=', schoolId).where('id', '=', id).execute();
  await writeImportRows(context, table, changed);
  await onProgress(changed.length);
}

interface ImportedRow {
  row: number | null;
  id: number;
  sourceId?: string | null;
  before?: object | undefined;
  after?: object | undefined;
}

/** Notes which records came from which rows. */
export async function writeImportRows(
  { trx, schoolId, importId }: WriteContext,
  table: RecordTable,
  rows: Iterable<ImportedRow>,
): Promise<void> {
  const values = mapLazily(rows, ({ row, id, sourceId = null, before, after }) => ({
    ...{ school_id: schoolId, import_id: importId, row_number: row, source_id: sourceId, before, after },
    [RECORD_ID_COLUMNS[table]]: id,
  }));
  await insertInBatches(trx, 'import_rows', values);
}

/** Inserts rows of the same columns by the thousand. */
export async function insertInBatches<Table extends keyof Database>(
  trx: Trx,
  table: Table,
  rows: Iterable<Columns<Table>>,
  onBatch: (rows: number) => Promise<void> = async () => {},
): Promise<void> {
  for await (const batch of batchesOf(rows)) {
    const columns = sql.join(Object.keys(batch[0] ?? {}).map((name) => sql.ref(name)));
    await sql`insert into ${sql.table(table)} (${columns}) overriding system value
      select ${columns} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(batch)}::jsonb)`.execute(
      trx,
    );
    await onBatch(batch.length);
  }
}

/** Gathers rows for one statement, few where they are long. */
export async function* batchesOf<Item>(
  rows: Iterable<Item> | AsyncIterable<Item>,
  most = { rows: IMPORT_BATCH_ROWS, characters: Infinity },
  lengthOf: (row: Item) => number = () => 0,
): AsyncGenerator<Item[], void> {
  let batch: Item[] = [];
  let characters = 0;
  for await (const row of rows) {
    batch.push(row);
    characters += lengthOf(row);
    if (batch.length < most.rows && characters < most.characters) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Made as they are needed, since all at once hold others up. */
export function* mapLazily<Item, Made>(items: Iterable<Item>, make: (item: Item) => Made): Generator<Made> {
  for (const item of items) yield make(item);
}

/** Ids for rows that others refer to. */
export async function takeIds(trx: Trx, table: keyof Database, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence(${table}, 'id'))::integer as id from generate_series(1, ${count}::integer)`.execute(
    trx,
  );
  return rows.map(({ id }) => id);
}
