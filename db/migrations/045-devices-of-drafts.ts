import { type Kysely, sql } from 'kysely';

/** Which session saved a draft, so that another device can say that it is newer (docs/decisions/142). */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`alter table drafts add column saved_by text`.execute(db);
}
