import { sql } from 'kysely';
import type { Trx } from '#db/connect.server.ts';
import type { Database } from '#db/tables.ts';
import { IMPORT_BATCH_ROWS } from '#app/limits.ts';

/** Inserts rows by the thousand; `types` has the columns as Postgres names their types. */
export async function insertInBatches<Name extends string>(
  trx: Trx,
  table: keyof Database,
  types: Record<Name, string>,
  rows: Iterable<Record<Name, unknown>>,
  onBatch: (rows: number) => Promise<void> = async () => {},
): Promise<void> {
  const names = Object.keys(types);
  const columns = sql.join(names.map((name) => sql.ref(name)));
  const definition = sql.join(
    Object.entries<string>(types).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`),
  );
  for (const batch of batchesOf(rows)) {
    await sql`insert into ${sql.table(table)} (${columns}) overriding system value
      select ${columns} from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb) as added (${definition})`.execute(trx);
    await onBatch(batch.length);
  }
}

/** Made as they are needed, since all at once hold others up. */
export function* mapLazily<Item, Row>(items: Iterable<Item>, toRow: (item: Item) => Row): Generator<Row> {
  for (const item of items) yield toRow(item);
}

function* batchesOf<Row>(rows: Iterable<Row>): Generator<Row[]> {
  let batch: Row[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < IMPORT_BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Ids for rows that others refer to. */
export async function takeIds(trx: Trx, table: keyof Database, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence(${table}, 'id'))::integer as id from generate_series(1, ${count}::integer)`.execute(
    trx,
  );
  return rows.map(({ id }) => id);
}
