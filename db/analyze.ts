import { sql } from 'kysely';
import type { Trx } from './connect.server.ts';
import type { Database } from './tables.ts';

/** Makes Postgres count tables that got many rows: plans made for few, as of foreign keys, read all rows each time. */
export async function analyzeTables(trx: Trx, tables: readonly (keyof Database)[]): Promise<void> {
  await sql`select analyze_tables(${tables}::regclass[])`.execute(trx);
  await sql`discard plans`.execute(trx);
}
