import { type Kysely, sql } from 'kysely';
import { ACTIVITY_ROLE } from '../activity-role.ts';

/** Makes the audit entries the one append-only stream of events (docs/decisions/073). */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table schools add column activity_kept_days integer not null default 730
      constraint schools_activity_kept_days_known check (activity_kept_days between 90 and 3650)`.execute(db);

  await sql`
    alter table audit_entries
      alter column created_at type timestamptz(3) using date_trunc('milliseconds', created_at),
      add column outcome text not null default 'done'
        constraint audit_entries_outcome_known check (outcome in ('done', 'refused')),
      add column times integer not null default 1 constraint audit_entries_times_positive check (times > 0),
      add column address text,
      add column request_id text,
      add column email_digest text`.execute(db);
  await moveEmails(db);

  await sql`
    create table audit_seals (
      chain integer not null,
      position integer not null,
      entry_id integer not null constraint audit_seals_entry_unique unique,
      previous_hash text not null,
      hash text not null,
      primary key (chain, position)
    )`.execute(db);

  await createTriggers(db);
  await createRole(db);
}

/** Emails get a table of their own, from which they can be removed without breaking the chain. */
async function moveEmails(db: Kysely<any>): Promise<void> {
  await sql`
    create table audit_emails (
      entry_id integer primary key references audit_entries (id) on delete cascade,
      email text not null,
      salt text not null
    )`.execute(db);
  await sql`
    insert into audit_emails (entry_id, email, salt)
      select id, coalesce(after ->> 'email', before ->> 'email'), replace(gen_random_uuid()::text, '-', '')
      from audit_entries where coalesce(after ->> 'email', before ->> 'email') is not null`.execute(db);
  await sql`
    update audit_entries
      set before = before - 'email', after = after - 'email',
          email_digest = encode(sha256(convert_to(salt || email, 'UTF8')), 'hex')
      from audit_emails where entry_id = id`.execute(db);
}

async function createTriggers(db: Kysely<any>): Promise<void> {
  await sql`
    create function audit_entry_expired(kept_for integer, written timestamptz) returns boolean stable language sql as $$
      select written < now() - make_interval(days =>
        coalesce((select activity_kept_days from schools where id = kept_for), 730)) $$`.execute(db);
  await sql`
    create function refuse_audit_change() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' and tg_table_name = 'audit_entries' then
          if audit_entry_expired(old.school_id, old.created_at) then return old; end if;
        elsif tg_op = 'DELETE' then
          if exists (select from audit_entries
            where id = old.entry_id and audit_entry_expired(school_id, created_at)) then return old; end if;
        end if;
        raise exception 'rows of % are only added', tg_table_name using errcode = 'restrict_violation';
      end $$`.execute(db);
  for (const table of ['audit_entries', 'audit_seals']) {
    await sql`create trigger append_only before update or delete on ${sql.table(table)}
      for each row execute function refuse_audit_change()`.execute(db);
    await sql`create trigger append_only_whole before truncate on ${sql.table(table)}
      for each statement execute function refuse_audit_change()`.execute(db);
  }
}

/** Where this user may not create roles, the triggers stand alone. */
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
