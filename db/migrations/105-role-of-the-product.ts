import { type Kysely, sql } from 'kysely';

/** Functions run as the owner of the tables, for what the product may not do itself (docs/decisions/212). */
export async function up(db: Kysely<any>): Promise<void> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  // Names are looked up in this schema alone, and not in what the caller has made.
  const asOwner = sql`security definer set search_path = ${sql.id(rows[0]?.schema ?? 'public')}, pg_temp`;
  // Fewer days count once the activity tells of them, so that no change by hand hides what was done.
  await sql`
    create function kept_days_of(school integer) returns integer stable language sql as $$
      select greatest((select activity_kept_days from schools where id = school), coalesce((
        select (after ->> 'activityKeptDays')::integer from audit_entries
        where school_id = school and after ? 'activityKeptDays'
          and action in ('created school', 'saved school settings', 'imported school', 'removed old activity')
        order by id desc limit 1), 730)) $$`.execute(db);
  await sql`
    insert into audit_entries (school_id, action, subject, subject_id, reason, after)
      select id, 'saved school settings', 'school', id, 'as it stood at an upgrade',
        jsonb_build_object('activityKeptDays', activity_kept_days)
      from schools where activity_kept_days <> 730`.execute(db);
  await sql`
    create function remove_old_activity(of_chain integer, most integer) returns integer language plpgsql ${asOwner} as $$
    declare
      kept_days integer := kept_days_of(of_chain);
      cut record;
      entries integer[];
    begin
      with batch as (
        select position, hash, created_at < now() - make_interval(days => kept_days) as is_old
        from audit_seals join audit_entries on audit_entries.id = entry_id
        where chain = of_chain order by position limit most
      )
      select position, hash into cut from batch where is_old
        and position < coalesce((select min(position) from batch where not is_old), 2147483647)
        order by position desc limit 1;
      if not found then return 0; end if;
      select array_agg(entry_id) into entries from (
        select entry_id from audit_seals where chain = of_chain and position <= cut.position for update) as beginning;
      if entries is null then return 0; end if;
      delete from audit_seals where entry_id = any(entries);
      delete from audit_entries where id = any(entries);
      insert into audit_entries (school_id, action, subject, after) values (
        nullif(of_chain, 0), 'removed old activity', 'activity', jsonb_build_object('entries', cardinality(entries),
          'position', cut.position, 'hash', cut.hash,
          'activityKeptDays', kept_days));
      return cardinality(entries);
    end $$`.execute(db);
  await sql`
    create function remove_activity_of(removed_school integer, most integer) returns integer language plpgsql ${asOwner} as $$
    declare
      removed integer;
    begin
      if exists (select from users where school_id = removed_school and deleted_at is null) then
        raise exception 'school % has users', removed_school using errcode = 'restrict_violation';
      end if;
      delete from audit_entries where id in (
        select id from audit_entries join audit_seals on entry_id = id where school_id = removed_school limit most);
      get diagnostics removed = row_count;
      return removed;
    end $$`.execute(db);
  await sql`
    create function analyze_tables(tables regclass[]) returns void language plpgsql ${asOwner} as $$
    declare
      counted regclass;
    begin
      -- It waits for nobody.
      foreach counted in array tables loop execute format('analyze (skip_locked) %s', counted); end loop;
    end $$`.execute(db);
}
