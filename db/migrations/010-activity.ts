import { type Kysely, sql } from 'kysely';
import { ACTIVITY_ROLE } from '../activity-role.ts';

/** The audit entries are the one append-only stream of events (docs/decisions/073). */
export async function up(db: Kysely<any>): Promise<void> {
  await createTables(db);
  await createTriggers(db);
  await createRole(db);
}

async function createTables(db: Kysely<any>): Promise<void> {
  // The user of an event of no school may be of a school that is gone. Emails have a table of their own, from which they can
  // be removed without breaking the chain.
  await sql`
    create table audit_entries (
      id integer generated always as identity primary key,
      school_id integer references schools (id),
      user_id integer,
      created_at timestamptz(3) not null default now(),
      action text not null,
      subject text not null,
      subject_id integer,
      before jsonb,
      after jsonb,
      reason text,
      outcome text not null default 'done' constraint audit_entries_outcome_known check (outcome in ('done', 'refused')),
      times integer not null default 1 constraint audit_entries_times_positive check (times > 0),
      address text,
      request_id text,
      email_digest text
    );
    create index audit_entries_newest on audit_entries (school_id, created_at desc, id desc);

    create table audit_emails (
      entry_id integer primary key references audit_entries (id) on delete cascade,
      email text not null,
      salt text not null
    );

    create table audit_seals (
      chain integer not null,
      position integer not null,
      entry_id integer not null constraint audit_seals_entry_unique unique,
      previous_hash text not null,
      hash text not null,
      primary key (chain, position)
    )`.execute(db);
}

async function createTriggers(db: Kysely<any>): Promise<void> {
  await sql`
    create function audit_entry_expired(kept_for integer, written timestamptz) returns boolean stable language sql as $$
      select written < now() - make_interval(days =>
        coalesce((select activity_kept_days from schools where id = kept_for), 730)) $$;
    create function refuse_audit_change() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' and tg_table_name = 'audit_entries' then
          if audit_entry_expired(old.school_id, old.created_at) then return old; end if;
          if exists (select from removed_schools where school_id = old.school_id and ended_at is null)
            and exists (select from audit_seals where entry_id = old.id) then return old; end if;
        elsif tg_op = 'DELETE' then
          if exists (select from audit_entries
            where id = old.entry_id and audit_entry_expired(school_id, created_at)) then return old; end if;
        end if;
        raise exception 'rows of % are only added', tg_table_name using errcode = 'restrict_violation';
      end $$`.execute(db);
  for (const table of ['audit_entries', 'audit_seals']) {
    await sql`
      create trigger append_only before update or delete on ${sql.table(table)}
      for each row execute function refuse_audit_change();
      create trigger append_only_whole before truncate on ${sql.table(table)}
      for each statement execute function refuse_audit_change()`.execute(db);
  }
}

/** Makes the role. If this user may not create roles, the triggers protect the activity alone. */
async function createRole(db: Kysely<any>): Promise<void> {
  const role = sql.raw(ACTIVITY_ROLE);
  await sql`
    do $$ begin
      if not exists (select from pg_roles where rolname = '${role}') then create role ${role} nologin; end if;
    exception when insufficient_privilege or duplicate_object or unique_violation then null; end $$`.execute(db);
  await sql`
    do $$ begin
      if not pg_has_role(current_user, (select oid from pg_roles where rolname = '${role}'), 'member') then
        grant ${role} to current_user;
      end if;
    exception when insufficient_privilege then null; end $$`.execute(db);
  await sql`
    do $$ begin
      if exists (select from pg_roles where rolname = '${role}') then
        grant select, insert on audit_entries, audit_emails, audit_seals to ${role};
      end if;
    end $$`.execute(db);
}
