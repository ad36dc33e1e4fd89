import { type Kysely, sql } from 'kysely';

/** The token that a session had before its last one, whose forms are kept for a while (docs/decisions/165). */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`alter table sessions add column former_id text`.execute(db);
  await sql`create index sessions_by_former_id on sessions (former_id) where former_id is not null`.execute(db);
}
