import { type Kysely, sql } from 'kysely';

/** A school can be removed; of its events the hashes stay (docs/decisions/151). */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`alter table schools add column removal_due_at timestamptz`.execute(db);
  await sql`
    create table removed_schools (
      school_id integer primary key,
      begun_at timestamptz not null default now(),
      ended_at timestamptz,
      constraint removed_schools_end_after_begin check (ended_at >= begun_at)
    )`.execute(db);
  // Events of no school are kept, and may be of somebody whose school is gone.
  await sql`alter table audit_entries drop constraint audit_entries_user_id_fkey`.execute(db);
  await sql`
    create or replace function refuse_audit_change() returns trigger language plpgsql as $$
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
  await sql`
    create or replace function refuse_history_change() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' then
          if exists (select from removed_schools where school_id = old.school_id and ended_at is null) then return old; end if;
        end if;
        raise exception 'rows of % are only added', tg_table_name using errcode = 'restrict_violation';
      end $$`.execute(db);
  await sql`
    create or replace function refuse_squawk_history_change() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' then
          if exists (select from removed_schools where school_id = old.school_id and ended_at is null) then return old; end if;
          if exists (
            select from import_rows join imports on imports.school_id = import_rows.school_id and imports.id = import_id
            where import_rows.school_id = old.school_id and squawk_id = old.squawk_id and before is null and state = 'undone')
          then return old; end if;
        end if;
        raise exception 'rows of % are only added', tg_table_name using errcode = 'restrict_violation';
      end $$`.execute(db);
  await sql`create or replace view doctor_activity_changed as ${sql.raw(ACTIVITY_CHANGED)}`.execute(db);
}

/** Of a removed school the hashes alone are compared. */
const ACTIVITY_CHANGED = `
  select nullif(chain, 0) as school_id, 'event ' || entry_id as subject,
    case when entry.id is null and not is_removed then 'was deleted'
      when previous_hash is distinct from expected_previous then 'has lost what was before it'
      else 'was changed after it was sealed' end as detail
  from (
    select seals.*, coalesce(lag(seals.hash) over of_chain, cut.hash, '') as expected_previous,
      coalesce(lag(seals.position) over of_chain, cut.position, 0) + 1 as expected_position,
      exists (select from removed_schools where school_id = seals.chain) as is_removed,
      lag(seals.position) over of_chain is null as is_first
    from audit_seals as seals left join (
      select distinct on (coalesce(school_id, 0)) coalesce(school_id, 0) as chain,
        after ->> 'hash' as hash, (after ->> 'position')::integer as position
      from audit_entries where action = 'removed old activity' order by coalesce(school_id, 0), id desc
    ) as cut on cut.chain = seals.chain
    window of_chain as (partition by seals.chain order by seals.position)
  ) as seal left join audit_entries as entry on entry.id = entry_id
  where (entry.id is null and not is_removed)
    or (not (is_removed and is_first) and (previous_hash is distinct from expected_previous or position <> expected_position))
    or (entry.id is not null and hash <> encode(sha256(convert_to(previous_hash || E'\\n' || jsonb_build_array(
      entry.id, school_id, user_id, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS'), action, subject,
      subject_id, before, after, reason, outcome, times, address, request_id, email_digest)::text, 'UTF8')), 'hex'))`;
