import { type Kysely, sql } from 'kysely';

/** One table of all work that waits (docs/decisions/209). */
export async function up(db: Kysely<any>): Promise<void> {
  // run_at is when the work is due; while a process does it, when another one may.
  await sql`
    create table jobs (
      id integer generated always as identity primary key,
      kind text not null,
      subject_id integer not null default 0,
      school_id integer references schools (id),
      lane integer not null default 0,
      attempts integer not null default 0,
      due_at timestamptz not null default now(),
      run_at timestamptz not null default now(),
      given_up_at timestamptz,
      constraint jobs_once unique (kind, subject_id)
    );
    create index jobs_due on jobs (run_at, id) where given_up_at is null`.execute(db);
  await keepJobs(db);
  await retireFormerClaims(db);
}

/** Whichever version writes what waits, its job is there, in the same transaction, and goes with it. */
async function keepJobs(db: Kysely<any>): Promise<void> {
  // Asked for anew, it is another job: whoever still works on the one before ends that one alone.
  await sql`
    create function keep_job() returns trigger language plpgsql as $$
    declare
      school integer;
      its_lane integer := 0;
    begin
      delete from jobs where kind = tg_argv[0] and subject_id = coalesce(new.id, old.id);
      if tg_op = 'DELETE' then return null; end if;
      if tg_argv[0] <> 'password link' then school := new.school_id; end if;
      if tg_argv[0] = 'delivery' then its_lane := new.webhook_id; end if;
      insert into jobs (kind, subject_id, school_id, lane) values (tg_argv[0], new.id, school, its_lane);
      return null;
    end $$`.execute(db);
  for (const [table, { kind, event, when }] of Object.entries(WAITING))
    await sql`
      create trigger queue_job after ${event} on ${sql.table(table)}
        for each row when (${when}) execute function keep_job(${sql.lit(kind)});
      create trigger drop_job after delete on ${sql.table(table)}
        for each row execute function keep_job(${sql.lit(kind)})`.execute(db);
}

const WAITING = {
  mail_outbox: { kind: 'mail', event: sql`insert`, when: sql`new.sent_at is null and new.refused_at is null` },
  webhook_deliveries: { kind: 'delivery', event: sql`insert or update of state`, when: sql`new.state = 'waiting'` },
  imports: { kind: 'import', event: sql`insert or update of requested`, when: sql`new.requested is not null` },
  password_link_requests: { kind: 'password link', event: sql`insert`, when: sql`true` },
};

/** The version before may run on for a while: it finds nothing due, and its columns stay until the next version. */
async function retireFormerClaims(db: Kysely<any>): Promise<void> {
  await sql`
    insert into jobs (kind, subject_id, school_id, lane, attempts, due_at, run_at)
      select 'mail', id, school_id, 0, attempts, created_at, next_attempt_at from mail_outbox
        where sent_at is null and refused_at is null and send_until > now()
      union all select 'delivery', id, school_id, webhook_id, attempts, created_at, next_attempt_at
        from webhook_deliveries where state = 'waiting'
      union all select 'import', id, school_id, 0, 0, requested_at, now() from imports where requested is not null
      union all select 'password link', id, null, 0, 0, created_at, now() from password_link_requests;
    update mail_outbox set next_attempt_at = ${NEVER} where sent_at is null and refused_at is null;
    update webhook_deliveries set next_attempt_at = ${NEVER} where state = 'waiting';
    alter table mail_outbox alter column next_attempt_at set default ${NEVER};
    alter table webhook_deliveries alter column next_attempt_at set default ${NEVER},
      drop constraint webhook_deliveries_in_order_of_aircraft, drop constraint webhook_deliveries_waiting_for_attempt;
    drop index mail_outbox_due, webhook_deliveries_due, webhook_deliveries_waiting, imports_requested`.execute(db);
}

/** A day that the version before can show. */
const NEVER = sql`timestamptz '9999-01-01 00:00:00Z'`;
