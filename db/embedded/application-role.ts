import pg from '../driver.ts';
import { grantStatementFor } from '../product-role.ts';
import { databaseUrl, type ServerPaths, SUPERUSER } from './paths.ts';

/** The role that the application connects as. It reads and writes rows and owns nothing. */
export const APPLICATION_ROLE = 'flightline_app';
/** The role that migrations connect as. It owns the database and what is in it, and may do nothing else. */
export const OWNER_ROLE = 'flightline_owner';
const LOCK_ID = 16;

/** Creates roles and database once, and hands over a database that an earlier release made. */
export async function prepareDatabase(paths: ServerPaths, name: string): Promise<void> {
  await asSuperuser(paths, 'postgres', async (client) => {
    // Another process may start at the same moment.
    await client.query('select pg_advisory_lock($1)', [LOCK_ID]);
    await createRoles(client);
    await createDatabase(client, name);
    await asSuperuser(paths, name, handOver);
  });
}

async function asSuperuser(
  paths: ServerPaths,
  database: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl(paths, database, SUPERUSER) });
  await client.connect();
  await work(client).finally(() => client.end());
}

async function createRoles(client: pg.Client): Promise<void> {
  if (!(await hasRole(client, APPLICATION_ROLE))) await createApplicationRole(client);
  if (!(await hasRole(client, OWNER_ROLE))) await client.query(`create role ${OWNER_ROLE} login`);
}

async function hasRole(client: pg.Client, role: string): Promise<boolean> {
  return (await client.query('select 1 from pg_roles where rolname = $1', [role])).rowCount !== 0;
}

async function createApplicationRole(client: pg.Client): Promise<void> {
  await client.query(`create role ${APPLICATION_ROLE} login`);
  // Developers log statements with this (CONTRIBUTING.md).
  await client.query(`grant set on parameter log_statement to ${APPLICATION_ROLE}`);
}

async function createDatabase(client: pg.Client, name: string): Promise<void> {
  const database = pg.escapeIdentifier(name);
  const { rows } = await client.query<{ owner: string }>(
    'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
    [name],
  );
  if (rows.length === 0) await client.query(`create database ${database} owner ${OWNER_ROLE}`);
  else if (rows[0]?.owner !== OWNER_ROLE) await client.query(`alter database ${database} owner to ${OWNER_ROLE}`);
}

/** Hands over object by object, because REASSIGN OWNED refuses the superuser who created the cluster. */
async function handOver(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ kind: string; name: string }>(FOREIGN_OBJECTS, [OWNER_ROLE]);
  if (rows.length === 0) return;
  await client.query('begin');
  for (const { kind, name } of rows) await client.query(`alter ${kind} ${name} owner to ${OWNER_ROLE}`);
  await client.query(`set local role ${OWNER_ROLE}`);
  await client.query(grantStatementFor(APPLICATION_ROLE));
  await client.query('commit');
}

/** Sequences of a column follow their table; what an extension brought stays its own. */
const FOREIGN_OBJECTS = `
  with objects as (
    select 'pg_class'::regclass as catalog, oid, relnamespace as schema, relowner as owner,
           'table' as kind, oid::regclass::text as name
      from pg_class where relkind in ('r', 'p', 'v', 'm', 'f', 'S')
    union all
    select 'pg_namespace'::regclass, oid, oid, nspowner, 'schema', oid::regnamespace::text
      from pg_namespace where nspname <> 'public'
    union all
    select 'pg_type'::regclass, oid, typnamespace, typowner, 'type', oid::regtype::text
      from pg_type where typtype in ('d', 'e')
    union all
    select 'pg_proc'::regclass, oid, pronamespace, proowner, 'routine', oid::regprocedure::text
      from pg_proc
  )
  select kind, name from objects
    where owner <> $1::regrole
      and schema not in (select oid from pg_namespace where nspname ~ '^pg_' or nspname = 'information_schema')
      and not exists (
        select 1 from pg_depend
          where classid = catalog and objid = objects.oid
            and (deptype = 'e' or (deptype in ('a', 'i') and refclassid = 'pg_class'::regclass)))`;
