import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table passkeys (
      id integer generated always as identity primary key,
      user_id integer not null references users (id),
      name text not null constraint passkeys_name_filled check (btrim(name) <> ''),
      credential_id text not null constraint passkeys_credential_unique unique,
      public_key bytea not null,
      counter bigint not null constraint passkeys_counter_not_negative check (counter >= 0),
      transports text[] not null default '{}',
      backed_up boolean not null default false,
      created_at timestamptz not null default now(),
      last_used_at timestamptz
    )`.execute(db);
  await sql`create index passkeys_of_user on passkeys (user_id)`.execute(db);
  await sql`
    create table used_passkey_challenges (
      challenge text primary key,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`alter table sessions add column passkey_id integer references passkeys (id) on delete set null`.execute(db);
  await sql`create index sessions_of_passkey on sessions (passkey_id) where passkey_id is not null`.execute(db);
}
