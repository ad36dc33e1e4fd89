import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';

/** What was done in the school, the oldest first: its activity without what is recorded of rows. */
export const eventsOf = (db: Db, schoolId: number) =>
  db
    .selectFrom('audit_entries')
    .selectAll()
    .where('school_id', '=', schoolId)
    .where('action', '!=', 'recorded rows')
    .orderBy('id')
    .execute();

/** Runs these as an owner of the tables does, who switches the triggers off. */
export async function forge(db: Db, ...statements: string[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    for (const statement of statements) await sql.raw(statement).execute(trx);
  });
}
