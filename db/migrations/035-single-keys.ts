import { type Kysely, sql } from 'kysely';

/** Keys that do something by themselves can be turned off by each user (docs/decisions/111). */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`alter table users add column single_keys boolean not null default true`.execute(db);
}
