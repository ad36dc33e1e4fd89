import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table password_link_requests (
      id integer generated always as identity primary key,
      username_key text not null,
      created_at timestamptz not null default now()
    )`.execute(db);
}
