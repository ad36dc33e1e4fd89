import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table schools (
      id integer generated always as identity primary key,
      name text not null constraint schools_name_filled check (btrim(name) <> ''),
      address text not null default '',
      phone text not null default '',
      time_zone text not null default 'UTC',
      created_at timestamptz not null default now()
    )`.execute(db);

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
      constraint users_of_school unique (school_id, id),
      constraint users_live_have_a_password check (deleted_at is not null or password_hash is not null)
    )`.execute(db);
  await sql`create unique index users_username_taken on users (username_key) where deleted_at is null`.execute(db);
  await sql`create unique index users_email_taken on users (school_id, lower(email)) where deleted_at is null`.execute(
    db,
  );

  await sql`
    create table sessions (
      id text primary key,
      user_id integer not null references users (id),
      shared_computer boolean not null default false,
      created_at timestamptz not null default now(),
      renewed_at timestamptz not null default now(),
      expires_at timestamptz not null,
      ends_at timestamptz not null,
      revoked_at timestamptz
    )`.execute(db);
  await sql`create index sessions_of_user on sessions (user_id)`.execute(db);

  await sql`
    create table login_attempts (
      key text primary key,
      failures integer not null,
      expires_at timestamptz not null
    )`.execute(db);
}
