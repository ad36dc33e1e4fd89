import { sql } from 'kysely';
import type { Trx } from './connect.server.ts';
import type { Database } from './tables.ts';

/** Makes Postgres count tables that got many rows: plans made for few, as of foreign keys, read all rows each time. */
export async function analyze(trx: Trx, tables: readonly (keyof Database)[]): Promise<void> {
  const names = sql.join(tables.map((table) => sql.table(table)));
  // `skip_locked` waits for nobody; a user who does not own the tables gets a warning.
  await sql`analyze (skip_locked) ${names}`.execute(trx);
  await sql`discard plans`.execute(trx);
}
