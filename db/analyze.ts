import { sql } from 'kysely';
import type { Trx } from './connect.server.ts';
import type { Database } from './tables.ts';

/**
 * Has Postgres count tables that have got many rows, and plan anew by it: foreign keys are checked by plans that a
 * connection keeps, and those made for few rows read all rows for each row.
 */
export async function analyze(trx: Trx, tables: readonly (keyof Database)[]): Promise<void> {
  const names = sql.join(tables.map((table) => sql.table(table)));
  // Waits for nobody, and is a warning for a user who does not own the tables.
  await sql`analyze (skip_locked) ${names}`.execute(trx);
  await sql`discard plans`.execute(trx);
}
