import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { connect } from '#db/connect.server.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#db/embedded/launch.ts';
import { migrateToLatest } from '#db/migrate.ts';
import { databaseUrl, superuserUrl } from '#tests/support/database-url.ts';
import { nightly, takesAll } from '#tests/support/takes-all.ts';
import { query } from '#tests/support/query.ts';

// Open to the user whom Postgres runs as when root starts it.
const folder = await mkdtemp('/tmp/embedded-role-');
await chmod(folder, 0o711);
afterAll(() => rm(folder, { recursive: true }));

async function started(): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres(folder, { fsync: 'off' });
  onTestFinished(() => postgres.stop());
  return postgres;
}

async function migrate(ownerUrl: string): Promise<string[]> {
  const db = connect(ownerUrl);
  return migrateToLatest(db, { product: 'flightline_app' }).finally(() => db.destroy());
}

const DROP_ALL = [
  'drop database flightline',
  'drop owned by flightline_app',
  'drop role flightline_app',
  'drop role flightline_owner',
];

/** What a release before this one left: everything is the superuser's, or the application's. */
async function makeFormerDatabase(url: string, owner: 'flightline' | 'flightline_app'): Promise<void> {
  const superuser = superuserUrl(url);
  const server = databaseUrl(superuser, 'postgres');
  await query(server, ...DROP_ALL, 'create role flightline_app login', `create database flightline owner ${owner}`);
  await migrate(superuser.replace('//flightline@', `//${owner}@`));
  await query(
    superuser,
    `insert into schools (name) values ('Cascade')`,
    ...(owner === 'flightline' ? [] : [`set role ${owner}`]),
    'create sequence apart',
    'create view of_all as select * from users',
    'create schema before_restore_1',
    'create table before_restore_1.schools (id integer)',
  );
}

const OWNERS = `
  select distinct pg_get_userbyid(relowner) as owner from pg_class
    where relnamespace in ('public'::regnamespace, to_regnamespace('before_restore_1'))
  union select pg_get_userbyid(nspowner) from pg_namespace where nspname = 'before_restore_1'
  union select pg_get_userbyid(typowner) from pg_type where typnamespace = 'public'::regnamespace
  union select pg_get_userbyid(datdba) from pg_database where datname = current_database()`;

it('the application connects as a role that owns nothing, beside one that owns the database alone (B452, B1450)', async () => {
  const { url, ownerUrl } = await started();
  for (const each of [url, ownerUrl])
    expect(
      await query(
        each,
        'select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles where rolname = current_user',
      ),
    ).toEqual([
      { rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolreplication: false, rolbypassrls: false },
    ]);
  expect(await query(url, `select pg_has_role('flightline_owner', 'member') as is_member`)).toEqual([
    { is_member: false },
  ]);
  await expect(query(url, `copy (select 1) to program 'true'`)).rejects.toThrow(/must be superuser|permission denied/);
  await expect(query(url, 'select pg_read_file($$/etc/hostname$$)')).rejects.toThrow('permission denied');
  expect(await migrate(ownerUrl)).not.toEqual([]);
  expect(await query(url, OWNERS)).toEqual([{ owner: 'flightline_owner' }]);
  await expect(query(url, 'alter table audit_entries disable trigger all')).rejects.toThrow('must be owner');
});

it.each(takesAll ? (['flightline', 'flightline_app'] as const) : (['flightline_app'] as const))(
  'a database that was %s’s in an earlier release keeps its rows and gets the new owner at start (B452, B1454)',
  async (owner) => {
    const former = await startEmbeddedPostgres(folder, { fsync: 'off' });
    await makeFormerDatabase(former.url, owner);
    await former.stop();

    const { url, ownerUrl } = await started();
    expect(await query(url, OWNERS)).toEqual([{ owner: 'flightline_owner' }]);
    expect(await query(url, 'select name from schools')).toEqual([{ name: 'Cascade' }]);
    await query(url, `insert into schools (name) values ('Olympic')`, 'select * from of_all');
    await query(ownerUrl, 'alter table schools add column later text', 'drop schema before_restore_1 cascade');
    await expect(query(url, 'delete from audit_entries')).rejects.toThrow('permission denied');
    expect(await migrate(ownerUrl)).toEqual([]);
  },
);

nightly('processes that start at the same moment prepare the database once (B452)', async () => {
  const first = await started();
  await query(databaseUrl(superuserUrl(first.url), 'postgres'), ...DROP_ALL);
  const urls = await Promise.all([started(), started(), started()]);
  for (const { url } of urls)
    expect(await query(url, 'select current_user as name')).toEqual([{ name: 'flightline_app' }]);
});
