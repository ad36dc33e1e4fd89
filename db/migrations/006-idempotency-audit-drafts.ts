import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table given_answers (
      scope text not null,
      key text not null,
      operation text not null,
      body_hash text not null,
      answer jsonb,
      created_at timestamptz not null default now(),
      primary key (scope, key, operation)
    )`.execute(db);
  await sql`create index given_answers_oldest on given_answers (created_at)`.execute(db);

  await sql`
    create table audit_entries (
      id integer generated always as identity primary key,
      school_id integer references schools (id),
      user_id integer references users (id),
      created_at timestamptz not null default now(),
      action text not null,
      subject text not null,
      subject_id integer,
      before jsonb,
      after jsonb,
      reason text
    )`.execute(db);
  await sql`create index audit_entries_newest on audit_entries (school_id, created_at desc, id desc)`.execute(db);

  await sql`
    create table drafts (
      user_id integer not null references users (id),
      form text not null,
      body jsonb not null,
      updated_at timestamptz not null default now(),
      primary key (user_id, form)
    )`.execute(db);
}
