import { type Kysely, sql } from 'kysely';

/** Each user reads on the account screen what happened to how they sign in. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create index audit_entries_about_user on audit_entries (school_id, subject_id, created_at desc)
      where subject = 'user'`.execute(db);
}
