import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { testDatabase } from '#tests/support/database.ts';
import { runHere } from '#tests/support/operator-command.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { command } from '../../scripts/flightline/import.ts';

const { db, url: DATABASE_URL } = await testDatabase();
const folder = await mkdtemp(path.join(tmpdir(), 'import-'));
afterAll(() => rm(folder, { recursive: true }));

it('an import by command that ends early leaves neither rows nor a file that waits nor a job (B1645)', async () => {
  const schoolId = await makeSchool(db, { name: 'Cascade' });
  const { username } = await makeUser(db, schoolId, 'administrator');
  await makeAircraft(db, schoolId, { tail_number: 'N1' });
  const file = path.join(folder, 'flights.csv');
  const flights = [1, 2].map(
    (at) => `N1,${username},2026-01-0${at}T10:00:00Z,2026-01-0${at}T11:00:00Z,${at},${at + 1},${at},${at + 1}`,
  );
  await writeFile(
    file,
    ['Aircraft,Pilot,Started,Completed,Hobbs Start,Hobbs End,Tach Start,Tach End', ...flights].join('\n'),
  );
  const importIt = () => runHere(command, ['flights', file], { DATABASE_URL, DATA_DIR: folder });
  const left = async () =>
    (
      await sql<{ rows: number }>`select (select count(*) from flight_logs) + (select count(*) from imports)
        + (select count(*) from jobs where kind = 'import') as rows`.execute(db)
    ).rows[0]?.rows;

  await sql`create function end_early() returns trigger language plpgsql as $$ begin raise 'ended early'; end $$`.execute(
    db,
  );
  await sql`create trigger end_early before insert on audit_entries
    for each row when (new.action = 'imported file') execute function end_early()`.execute(db);
  await expect(importIt()).rejects.toThrow('ended early');
  expect(Number(await left())).toBe(0);

  await sql`drop function end_early cascade`.execute(db);
  expect(await importIt()).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^2 rows: 2 new, .*\nImported into Cascade\.$/m),
  });
  expect(await importIt()).toMatchObject({ output: expect.stringContaining('0 new, 0 changed, 2 there already') });
  const applied = db.selectFrom('imports').select(['state', 'content', 'requested']);
  expect(await applied.execute()).toMatchObject([{ state: 'applied', content: null, requested: null }, {}]);
});
