import { type Kysely, sql } from 'kysely';

/** When a draft was typed, by its device, so that one that comes late replaces nothing newer (docs/decisions/164). */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`alter table drafts add column typed_at timestamptz`.execute(db);
}
