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
      constraint mail_outbox_of_school unique (school_id, id)
    )`.execute(db);
  await sql`create index mail_outbox_due on mail_outbox (next_attempt_at) where sent_at is null`.execute(db);

  await sql`
    create table invitations (
      id integer generated always as identity primary key,
      school_id integer not null references schools (id),
      name text not null,
      email text not null,
      role text not null constraint invitations_role_known check (role in ('administrator', 'instructor', 'student')),
      token_hash text not null constraint invitations_token_unique unique,
      invited_by integer not null,
      mail_id integer,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      accepted_at timestamptz,
      accepted_by integer,
      constraint invitations_of_school unique (school_id, id),
      foreign key (school_id, invited_by) references users (school_id, id),
      foreign key (school_id, accepted_by) references users (school_id, id),
      foreign key (school_id, mail_id) references mail_outbox (school_id, id),
      constraint invitations_accepted_by_somebody check ((accepted_at is null) = (accepted_by is null))
    )`.execute(db);
  await sql`create unique index invitations_email_pending on invitations (school_id, lower(email)) where accepted_at is null`.execute(
    db,
  );
}
