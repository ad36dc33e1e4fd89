import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { loader as ready } from '#app/routes/readyz.ts';
import { testDatabase } from '#tests/support/database.ts';
import { withoutColumn } from '#tests/support/faults.ts';

const { db } = await testDatabase();

const answer = async () => {
  const response = await ready();
  return [response.status, (await response.text()).trim()];
};

it('a server is ready once its database has every migration of its build', async () => {
  expect(await answer()).toEqual([200, 'ready']);
  const { rows } = await sql<{ name: string; timestamp: string }>`
    delete from kysely_migration where name = (select max(name) from kysely_migration)
    returning name, timestamp`.execute(db);
  const [last] = rows;
  try {
    expect(await answer()).toEqual([503, `Migrations to run: ${last?.name}`]);
  } finally {
    await sql`insert into kysely_migration (name, timestamp) values (${last?.name}, ${last?.timestamp})`.execute(db);
  }
});

it('a server that cannot read its database is not ready', async () => {
  await withoutColumn(db, 'kysely_migration', 'name', async () => {
    expect(await answer()).toEqual([503, 'The database cannot be reached.']);
  });
});
