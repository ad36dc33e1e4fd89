import { type Kysely, sql } from 'kysely';

/** Returns true if the database takes no writes, as a standby or because it was set so. */
export async function isReadOnly<Tables>(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ readOnly: boolean }>`
    select current_setting('transaction_read_only')::boolean as "readOnly"`.execute(db);
  return rows[0]?.readOnly ?? false;
}
