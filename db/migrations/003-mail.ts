import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table mail_outbox (
      id integer generated always as identity primary key,
      school_id integer references schools (id),
      to_name text not null,
      to_address text not null,
      subject text not null,
      body_text text not null,
      body_html text not null,
      created_at timestamptz not null default now(),
      attempts integer not null default 0,
      next_attempt_at timestamptz not null default now(),
      sent_at timestamptz,
      last_error text,
      send_until timestamptz not null default now() + interval '7 days',
      refused_at timestamptz,
      written_to_file boolean not null default false,
      constraint mail_outbox_of_school unique (school_id, id)
    );
    create index mail_outbox_due on mail_outbox (next_attempt_at) where sent_at is null and refused_at is null`.execute(
    db,
  );
}
