import { chmod, mkdtemp, rm } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { connect } from '#db/connect.server.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#db/embedded/launch.ts';
import { migrateToLatest } from '#db/migrate.ts';
import { databaseUrl, superuserUrl } from '#tests/support/database-url.ts';
import { nightly } from '#tests/support/takes-all.ts';

// Open to the user whom Postgres runs as when root starts it.
const folder = await mkdtemp('/tmp/embedded-role-');
await chmod(folder, 0o711);
afterAll(() => rm(folder, { recursive: true }));

async function started(): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres(folder, { fsync: 'off' });
  onTestFinished(() => postgres.stop());
  return postgres;
}

async function query<Row extends pg.QueryResultRow>(url: string, ...statements: string[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Row[] = [];
    for (const statement of statements) ({ rows } = await client.query<Row>(statement));
    return rows;
  } finally {
    await client.end();
  }
}

async function migrate(url: string): Promise<string[]> {
  const db = connect(url);
  return migrateToLatest(db).finally(() => db.destroy());
}

/** What a release before this one left: everything is the superuser's. */
async function makeFormerDatabase(url: string): Promise<void> {
  const superuser = superuserUrl(url);
  const server = databaseUrl(superuser, 'postgres');
  await query(server, 'drop database flightline', 'drop owned by flightline_app', 'drop role flightline_app');
  await query(server, 'create database flightline');
  await migrate(superuser);
  await query(
    superuser,
    `insert into schools (name) values ('Cascade')`,
    'create sequence apart',
    'create view of_all as select * from users',
  );
}

const OWNERS = `
  select distinct pg_get_userbyid(relowner) as owner from pg_class where relnamespace = 'public'::regnamespace
  union select pg_get_userbyid(typowner) from pg_type where typnamespace = 'public'::regnamespace
  union select pg_get_userbyid(datdba) from pg_database where datname = current_database()`;

it('the application connects as a role that owns its database and may do nothing else (B452)', async () => {
  const { url } = await started();
  expect(
    await query(
      url,
      'select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles where rolname = current_user',
    ),
  ).toEqual([
    { rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolreplication: false, rolbypassrls: false },
  ]);
  expect(await query(url, `select pg_has_role('flightline_activity', 'member') as is_member`)).toEqual([
    { is_member: true },
  ]);
  await expect(query(url, `copy (select 1) to program 'true'`)).rejects.toThrow('must be superuser');
  await expect(query(url, 'select pg_read_file($$/etc/hostname$$)')).rejects.toThrow('permission denied');
  expect(await migrate(url)).not.toEqual([]);
  expect(await query(url, OWNERS)).toEqual([{ owner: 'flightline_app' }]);
});

nightly(
  'a database that an earlier release used as superuser keeps its rows and gets the new owner at start (B452)',
  async () => {
    const former = await startEmbeddedPostgres(folder, { fsync: 'off' });
    await makeFormerDatabase(former.url);
    await former.stop();

    const { url } = await started();
    expect(await query(url, OWNERS)).toEqual([{ owner: 'flightline_app' }]);
    expect(await query(url, 'select name from schools')).toEqual([{ name: 'Cascade' }]);
    await query(
      url,
      `insert into schools (name) values ('Olympic')`,
      'alter table schools add column later text',
      'select * from of_all',
    );
    expect(await migrate(url)).toEqual([]);
  },
);

nightly('processes that start at the same moment prepare the database once (B452)', async () => {
  const first = await started();
  await query(
    databaseUrl(superuserUrl(first.url), 'postgres'),
    'drop database flightline',
    'drop owned by flightline_app',
    'drop role flightline_app',
  );
  const urls = await Promise.all([started(), started(), started()]);
  for (const { url } of urls)
    expect(await query(url, 'select current_user as name')).toEqual([{ name: 'flightline_app' }]);
});
