import { type Kysely, sql } from 'kysely';

/** Each backup that was made, for those who ask when the last one was (docs/decisions/084). */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table backups (
      id integer generated always as identity primary key,
      made_at timestamptz not null,
      folder text not null,
      file text not null,
      bytes bigint not null,
      verified_at timestamptz,
      copy_failure text
    )`.execute(db);
}
