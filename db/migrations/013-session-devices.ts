import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table sessions
      add column number integer generated always as identity constraint sessions_number_unique unique,
      add column device text not null default '',
      add column address text not null default '',
      add column seen_at timestamptz not null default now(),
      add column proved_at timestamptz not null default now()`.execute(db);
  await sql`update sessions set seen_at = renewed_at, proved_at = created_at`.execute(db);
  await sql`alter table users add column password_generation integer not null default 0`.execute(db);
}
