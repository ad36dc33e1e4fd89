import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';

/** Everything of the schema by name, for comparison: columns in their order, constraints, indexes, functions, rights and so on. */
export async function describeSchema(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    with relations as (
      select * from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')
    )
    select 'relation' as kind, relname as name, concat_ws(' ', relkind, relpersistence, relacl::text, reloptions::text) as definition
      from relations
    union all
    select 'column', relname || '.' || attname, concat_ws(' ', row_number() over (partition by relname order by attnum),
        format_type(atttypid, atttypmod), case when attnotnull then 'not null' end, nullif(attidentity, ''),
        nullif(attgenerated, ''), pg_get_expr(adbin, adrelid), attcollation::regcollation)
      from relations join pg_attribute on attrelid = relations.oid and attnum > 0 and not attisdropped
        left join pg_attrdef on adrelid = attrelid and adnum = attnum
    union all
    select 'sequence', sequencename, concat_ws(' ', data_type, start_value, min_value, max_value, increment_by, cycle)
      from pg_sequences where schemaname = 'public'
    union all
    select 'type', typname, concat_ws(' ', typtype, format_type(typbasetype, typtypmod), typnotnull, typdefault)
      from pg_type where typnamespace = 'public'::regnamespace and typtype in ('d', 'e')
    union all
    select 'constraint', coalesce(nullif(conrelid, 0)::regclass::text, contypid::regtype::text) || '.' || conname,
        pg_get_constraintdef(oid) || ' ' || convalidated
      from pg_constraint where connamespace = 'public'::regnamespace
        -- The columns say it; the names of these, which Postgres 18 began to record, keep what a table was once called.
        and contype <> 'n'
    union all
    select 'index', indexname, indexdef from pg_indexes where schemaname = 'public'
    union all
    select 'view', viewname, definition from pg_views where schemaname = 'public'
    union all
    select 'function', proname, regexp_replace(pg_get_functiondef(oid), '\\s+', ' ', 'g') || coalesce(proacl::text, '')
      from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select 'comment', objoid::regclass::text, description from pg_description join relations on relations.oid = objoid
    union all
    select 'trigger', tgrelid::regclass || '.' || tgname, tgenabled::text || ' ' || pg_get_triggerdef(pg_trigger.oid)
      from pg_trigger join pg_class on pg_class.oid = tgrelid join pg_proc on pg_proc.oid = tgfoid
      where not tgisinternal and relnamespace = 'public'::regnamespace and pronamespace = 'public'::regnamespace
    order by 1, 2, 3`.execute(db);
  return rows;
}
