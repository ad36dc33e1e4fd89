import type { ClientBase } from 'pg';

/** Moves everything in the schema to a new one beside it, which is named by the moment. Returns its name. */
export async function moveSchemaAside(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select 'before_restore_' || to_char(clock_timestamp(), 'YYYYMMDD_HH24MISS') as name`,
  );
  const name = rows[0]?.name ?? 'before_restore';
  await client.query(`create schema ${name}`);
  const objects = await client.query<{ kind: string; object: string }>(OBJECTS);
  for (const { kind, object } of objects.rows) await client.query(`alter ${kind} ${object} set schema ${name}`);
  return name;
}

/** Indexes and sequences follow their table; an extension's stay. Routines come first: tables whose rows they take name them. */
const OBJECTS = `
  with objects as (
    select 'pg_class'::regclass as catalog, oid, case relkind when 'v' then 'view' when 'm' then 'materialized view'
        when 'S' then 'sequence' else 'table' end as kind, oid::regclass::text as object
      from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')
    union all
    select 'pg_type'::regclass, oid, case typtype when 'd' then 'domain' else 'type' end, oid::regtype::text
      from pg_type where typnamespace = current_schema()::regnamespace and typtype in ('d', 'e')
    union all
    select 'pg_proc'::regclass, oid, 'routine', oid::regprocedure::text
      from pg_proc where pronamespace = current_schema()::regnamespace
  )
  select kind, object from objects where not exists (
    select from pg_depend where classid = catalog and objid = objects.oid
      and (deptype = 'e' or (deptype in ('a', 'i') and refclassid = 'pg_class'::regclass)))
  order by kind <> 'routine'`;
