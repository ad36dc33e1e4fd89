import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';

/** Every column, constraint, index, view and trigger of the database, by name, for comparison. */
export async function describeSchema(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    select 'column' as kind, table_name || '.' || column_name as name,
      concat_ws(' ', data_type, domain_name, is_nullable, column_default) as definition
      from information_schema.columns where table_schema = 'public'
    union all
    select 'constraint', coalesce(conrelid::regclass::text, '') || '.' || conname, pg_get_constraintdef(oid)
      from pg_constraint where connamespace = 'public'::regnamespace
    union all
    select 'index', indexname, indexdef from pg_indexes where schemaname = 'public'
    union all
    select 'view', viewname, definition from pg_views where schemaname = 'public'
    union all
    select 'trigger', tgname, tgenabled::text || ' ' || pg_get_triggerdef(pg_trigger.oid) from pg_trigger
      join pg_class on pg_class.oid = tgrelid join pg_proc on pg_proc.oid = tgfoid
      where not tgisinternal and relnamespace = 'public'::regnamespace and pronamespace = 'public'::regnamespace
    order by 1, 2, 3`.execute(db);
  return rows;
}
