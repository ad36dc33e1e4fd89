import { type Kysely, sql } from 'kysely';

/** An export of a whole school that its administrator moves in with: the file in pieces, since it is large (docs/decisions/149). */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table imports
      drop constraint imports_kind_known,
      add constraint imports_kind_known
        check (kind in ('fleet', 'people', 'flights', 'squawks', 'inspections', 'all')),
      add column archive jsonb;

    create table import_pieces (
      school_id integer not null,
      import_id integer not null,
      place integer not null,
      content bytea not null,
      primary key (school_id, import_id, place),
      foreign key (school_id, import_id) references imports (school_id, id) on delete cascade
    )`.execute(db);
  await sql`
    create function has_users(school integer) returns boolean stable language sql as $$
      select exists (select from users where school_id = school and deleted_at is null) $$`.execute(db);
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  const asOwner = sql`security definer set search_path = ${sql.id(rows[0]?.schema ?? 'public')}, pg_temp`;
  await sql`
    create or replace function remove_activity_of(removed_school integer, most integer) returns integer language plpgsql ${asOwner} as $$
    declare
      removed integer;
    begin
      if has_users(removed_school) then
        raise exception 'school % has users', removed_school using errcode = 'restrict_violation';
      end if;
      delete from audit_entries where id in (
        select id from audit_entries join audit_seals on entry_id = id where school_id = removed_school limit most);
      get diagnostics removed = row_count;
      return removed;
    end $$`.execute(db);
  await sql`
    create or replace function kept_days_of(school integer) returns integer stable language sql as $$
      select greatest((select activity_kept_days from schools where id = school), coalesce((
        select case when jsonb_typeof(after -> 'activityKeptDays') = 'number'
          then greatest(90, least((after ->> 'activityKeptDays')::numeric, 3650))::integer end from audit_entries
        where school_id = school and after ? 'activityKeptDays'
          and action in ('created school', 'saved school settings', 'imported school', 'removed old activity')
        order by id desc limit 1), 730)) $$`.execute(db);
}
