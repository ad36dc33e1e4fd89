import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import { loader as ready } from '#app/routes/readyz.ts';
import { readinessDb } from '#app/server/db.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { withoutColumn } from '#tests/support/faults.ts';
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

it('a server starts though its database cannot be reached, and waits for it (B1350)', async () => {
  await expect(assertMigrated('postgres://nobody@127.0.0.1:1/none')).resolves.toBeUndefined();
  await expect(assertMigrated(url)).resolves.toBeUndefined();
});

it('a server that cannot read its database is not ready', async () => {
  await withoutColumn(db, 'kysely_migration', 'name', async () => {
    expect(await answer()).toEqual([503, 'The database cannot be reached.']);
  });
});

it('a server whose schema a later version has changed is not ready (B512)', async () => {
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
});

it('a server whose database takes no writes is not ready (B512)', async () => {
  const change = (value: string) =>
    sql`select set_config('default_transaction_read_only', ${value}, false)`.execute(readinessDb);
  await change('on');
  try {
    expect(await answer()).toEqual([503, 'The database is read-only.']);
  } finally {
    await change('off');
  }
  expect(await answer()).toEqual([200, 'ready']);
});

it('a server that is shutting down is not ready, and says when to ask again (B512)', async () => {
  globalThis.isShuttingDown = true;
  const response = await ready();
  expect([response.status, response.headers.get('retry-after'), await response.text()]).toEqual([
    503,
    '1',
    'The server is shutting down.\n',
  ]);
});

it('a server whose embedded Postgres is down says why (B515)', async () => {
  globalThis.embeddedPostgresTrouble = 'The embedded Postgres does not start.';
  await withoutColumn(db, 'kysely_migration', 'name', async () => {
    expect(await answer()).toEqual([503, 'The embedded Postgres does not start.']);
  });
  expect(await answer()).toEqual([200, 'ready']);
});
