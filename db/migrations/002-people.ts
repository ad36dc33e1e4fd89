import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<any>): Promise<void> {
  await createUsers(db);
  await createSecondFactors(db);
  await createSessions(db);
  await createDrafts(db);
}

async function createUsers(db: Kysely<any>): Promise<void> {
  await sql`
    create table users (
      id integer generated always as identity primary key,
      school_id integer references schools (id),
      username text not null constraint users_username_filled check (btrim(username) <> ''),
      username_key text not null,
      email text not null,
      password_hash text,
      role text not null constraint users_role_known check (role in ('administrator', 'instructor', 'student')),
      created_at timestamptz not null default now(),
      deleted_at timestamptz,
      password_generation integer not null default 0,
      name text constraint users_name_filled check (btrim(name) <> ''),
      single_keys boolean not null default true,
      change_id bigint not null default 0,
      constraint users_of_school unique (school_id, id),
      constraint users_live_have_a_password check (deleted_at is not null or password_hash is not null)
    );
    create unique index users_username_taken on users (username_key) where deleted_at is null;
    create unique index users_email_taken on users (school_id, lower(email)) where deleted_at is null;
    create index users_namesakes on users (school_id, username_key, id);
    create index users_left on users (school_id, lower(email)) where deleted_at is not null;

    create table login_attempts (
      key text primary key,
      failures integer not null,
      expires_at timestamptz not null
    );

    create table password_link_requests (
      id integer generated always as identity primary key,
      username_key text not null,
      created_at timestamptz not null default now()
    )`.execute(db);
}

async function createSecondFactors(db: Kysely<any>): Promise<void> {
  await sql`
    create table second_factors (
      user_id integer primary key references users (id),
      secret text not null,
      last_step integer not null,
      created_at timestamptz not null default now()
    );

    create table recovery_codes (
      user_id integer not null references users (id),
      code_hash text not null,
      used_at timestamptz,
      primary key (user_id, code_hash)
    );

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
    );
    create index passkeys_of_user on passkeys (user_id);

    create table used_passkey_challenges (
      challenge text primary key,
      expires_at timestamptz not null
    )`.execute(db);
}

async function createSessions(db: Kysely<any>): Promise<void> {
  await sql`
    create table sessions (
      id text primary key,
      user_id integer not null references users (id),
      shared_computer boolean not null default false,
      created_at timestamptz not null default now(),
      renewed_at timestamptz not null default now(),
      expires_at timestamptz not null,
      ends_at timestamptz not null,
      revoked_at timestamptz,
      number integer generated always as identity constraint sessions_number_unique unique,
      device text not null default '',
      address text not null default '',
      seen_at timestamptz not null default now(),
      proved_at timestamptz not null default now(),
      second_factor_setup text,
      passkey_id integer references passkeys (id) on delete set null,
      former_id text
    );
    create index sessions_of_user on sessions (user_id);
    create index sessions_of_passkey on sessions (passkey_id) where passkey_id is not null;
    create index sessions_by_former_id on sessions (former_id) where former_id is not null;

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
    );
    create index access_tokens_of_user on access_tokens (user_id)`.execute(db);
}

/** Makes the tables of unfinished forms, and of the answers to requests that may be sent again. */
async function createDrafts(db: Kysely<any>): Promise<void> {
  await sql`
    create table drafts (
      user_id integer not null references users (id),
      form text not null,
      body jsonb not null,
      updated_at timestamptz not null default now(),
      saved_by text,
      typed_at timestamptz,
      primary key (user_id, form)
    );

    create table idempotency_keys (
      scope text not null,
      key text not null,
      operation text not null,
      request_hash text not null,
      response jsonb,
      created_at timestamptz not null default now(),
      primary key (scope, key, operation)
    );
    create index idempotency_keys_oldest on idempotency_keys (created_at)`.execute(db);
}
