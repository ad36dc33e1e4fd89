import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table mail_outbox
      add column refused_at timestamptz,
      add column written_to_file boolean not null default false`.execute(db);
  await sql`drop index mail_outbox_due`.execute(db);
  await sql`
    create index mail_outbox_due on mail_outbox (next_attempt_at)
    where sent_at is null and refused_at is null`.execute(db);
}
