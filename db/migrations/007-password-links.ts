import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table password_links (
      school_id integer not null,
      user_id integer not null,
      token_hash text not null constraint password_links_token_unique unique,
      mail_id integer,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      used_at timestamptz,
      primary key (school_id, user_id),
      foreign key (school_id, user_id) references users (school_id, id),
      foreign key (school_id, mail_id) references mail_outbox (school_id, id)
    )`.execute(db);
  await sql`alter table mail_outbox add column send_until timestamptz not null default now() + interval '7 days'`.execute(
    db,
  );
}
