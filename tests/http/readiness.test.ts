import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { loader as ready } from '#app/routes/readyz.ts';
import { readinessDb } from '#app/server/db.server.ts';
import { toErrorView } from '#app/server/error-responses.server.ts';
import { connect } from '#db/connect.server.ts';
import { startEmbeddedPostgres } from '#db/embedded/launch.ts';
import { testDatabase } from '#tests/support/database.ts';
import { withoutColumn } from '#tests/support/faults.ts';
import { nightly } from '#tests/support/takes-all.ts';
import { assertMigrated } from '../../scripts/launcher/database.ts';

afterEach(() => {
  globalThis.isShuttingDown = undefined;
  globalThis.embeddedPostgresTrouble = undefined;
});

const { db, url } = await testDatabase();

const answer = async () => {
  const response = await ready();
  return [response.status, (await response.text()).trim()];
};

it('a server is ready once its database has every migration of its build, and does not start before (B1350)', async () => {
  expect(await answer()).toEqual([200, 'ready']);
  const { rows } = await sql<{ name: string; timestamp: string }>`
    delete from kysely_migration where name = (select max(name) from kysely_migration)
    returning name, timestamp`.execute(db);
  const [last] = rows;
  try {
    expect(await answer()).toEqual([503, `Migrations to run: ${last?.name}`]);
    await expect(assertMigrated(url)).rejects.toThrow(
      `lacks 1 migration of this version, from ${last?.name} on. \`npm run flightline -- upgrade\` saves a backup and runs them.`,
    );
  } finally {
    await sql`insert into kysely_migration (name, timestamp) values (${last?.name}, ${last?.timestamp})`.execute(db);
  }
});

it('a server does not start where Postgres refuses its address, and one sentence names the cure (B1530)', async () => {
  const changed = (change: (address: URL) => void) => {
    const address = new URL(url);
    change(address);
    return address.href;
  };
  const refused: [string, RegExp][] = [
    [changed((address) => (address.username = 'nobody_known')), /^Postgres refuses nobody_known at .*`createuser`/],
    [
      changed((address) => (address.username = 'pg_monitor')),
      /not permitted to log in\. `alter role "pg_monitor" login`/,
    ],
    [changed((address) => (address.pathname = '/none_such')), /"none_such" does not exist\. .*`createdb`/],
    [
      changed(({ searchParams }) => searchParams.set('sslmode', 'require')),
      /not support SSL .*`sslmode`.*\.env\.example/,
    ],
    [changed(({ searchParams }) => searchParams.set('options', '-c dance=on')), /"dance"\. Take .*`options`/],
    [
      changed(({ searchParams }) => searchParams.set('sslrootcert', '/none/such.pem')),
      /^The address of the database names a file .* There is no \/none\/such\.pem\. See `sslrootcert`/,
    ],
  ];
  for (const [address, words] of refused)
    await expect(assertMigrated(address), address).rejects.toThrow(
      expect.objectContaining({ message: expect.stringMatching(words), exitCode: 1 }),
    );
});

nightly('an address without or with a wrong password is refused with its cure, 503 (B1530, B1531)', async () => {
  const folder = await mkdtemp('/tmp/readiness-');
  const postgres = await startEmbeddedPostgres(folder);
  try {
    const owner = new pg.Client(postgres.ownerUrl.replace(/\/\/[^@]*@/, '//flightline@'));
    await owner.connect();
    const rules = await owner.query<{ hba_file: string }>('show hba_file');
    await owner.query("alter role flightline_app password 'right'");
    await writeFile(rules.rows[0]?.hba_file ?? '', 'local all all scram-sha-256\n');
    await owner.query('select pg_reload_conf()');
    await owner.end();
    const withPassword = (password: string) => postgres.url.replace('@', `:${password}@`);
    const refused = (address: string) =>
      expect.poll(() => assertMigrated(address).then(String, (error: unknown) => String(error)), { timeout: 30_000 });
    await refused(postgres.url).toMatch(/must be a string\. Put the password of flightline_app into its address/);
    await refused(withPassword('wrong')).toMatch(/authentication failed .*\. Put the password of flightline_app/);
    await refused(withPassword('right')).toContain('is empty: `npm run db:migrate`');
    const running = connect(withPassword('wrong'));
    const error: unknown = await sql`select 1`.execute(running).catch((caught: unknown) => caught);
    expect(toErrorView(error)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    await running.destroy();
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true });
  }
});

it('a server waits for a database that cannot be reached, and does not start with an empty one (B1350, B1530)', async () => {
  await sql`alter table kysely_migration rename to kysely_migration_away`.execute(db);
  try {
    await expect(assertMigrated(url)).rejects.toThrow(/is empty: `npm run db:migrate` makes its tables\.$/);
  } finally {
    await sql`alter table kysely_migration_away rename to kysely_migration`.execute(db);
  }
  await expect(assertMigrated('postgres://nobody@127.0.0.1:1/none')).resolves.toBeUndefined();
  await expect(assertMigrated('postgres://nobody@none.invalid/none?sslmode=disable')).resolves.toBeUndefined();
  await expect(assertMigrated('postgres://nobody@/none?host=/nowhere')).resolves.toBeUndefined();
  await expect(assertMigrated(url)).resolves.toBeUndefined();
});

it('a server is not ready whose database is read-only, unreadable, or of a later version (B512)', async () => {
  await sql`insert into kysely_migration (name, timestamp) values ('999-of-tomorrow', '')`.execute(db);
  try {
    const [status, text] = await answer();
    expect(status).toBe(503);
    expect(text).toBe(
      'The schema is newer than this version of Flightline: it has 999-of-tomorrow. Use the version that made it, or a later one.',
    );
  } finally {
    await sql`delete from kysely_migration where name = '999-of-tomorrow'`.execute(db);
  }
  const change = (value: string) =>
    sql`select set_config('default_transaction_read_only', ${value}, false)`.execute(readinessDb);
  await change('on');
  try {
    expect(await answer()).toEqual([503, 'The database is read-only.']);
  } finally {
    await change('off');
  }
  expect(await answer()).toEqual([200, 'ready']);
  await withoutColumn(db, 'kysely_migration', 'name', async () => {
    expect(await answer()).toEqual([503, 'The database cannot be reached.']);
  });
});

it('a server that is shutting down, or whose embedded Postgres is down, is not ready and says why (B512, B515)', async () => {
  globalThis.isShuttingDown = true;
  const response = await ready();
  expect([response.status, response.headers.get('retry-after'), await response.text()]).toEqual([
    503,
    '1',
    'The server is shutting down.\n',
  ]);
  globalThis.isShuttingDown = undefined;
  globalThis.embeddedPostgresTrouble = 'The embedded Postgres does not start.';
  await withoutColumn(db, 'kysely_migration', 'name', async () => {
    expect(await answer()).toEqual([503, 'The embedded Postgres does not start.']);
  });
  expect(await answer()).toEqual([200, 'ready']);
});
