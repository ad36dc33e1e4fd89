import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table access_tokens (
      id integer generated always as identity primary key,
      user_id integer not null references users (id),
      name text not null constraint access_tokens_name_filled check (btrim(name) <> ''),
      scope text not null constraint access_tokens_scope_known check (scope in ('read', 'fly', 'manage')),
      token_hash text not null constraint access_tokens_hash_unique unique,
      request_id text,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      last_used_at timestamptz,
      constraint access_tokens_expire_after_creation check (expires_at > created_at)
    )`.execute(db);
  await sql`create index access_tokens_of_user on access_tokens (user_id)`.execute(db);
  await sql`
    create or replace view doctor_remains_of_the_deleted as
    select school_id, 'user ' || id as subject, 'is deleted, but has ' || what as detail
    from users cross join lateral (
      select 'a password' as what where password_hash is not null
      union all select 'a second factor' where exists (select from second_factors where user_id = users.id)
      union all select 'recovery codes' where exists (select from recovery_codes where user_id = users.id)
      union all select 'passkeys' where exists (select from passkeys where user_id = users.id)
      union all select 'access tokens' where exists (select from access_tokens where user_id = users.id)
      union all select 'a password link' where exists (select from password_links where user_id = users.id)
      union all select 'drafts' where exists (select from drafts where user_id = users.id)
    ) as remains
    where deleted_at is not null`.execute(db);
}
