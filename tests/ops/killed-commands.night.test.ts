import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, inject, it } from 'vitest';
import type { Db } from '#db/connect.server.ts';
import type { Database } from '#db/tables.ts';
import { makeFullSchool } from '#tests/support/archive/full-school.ts';
import { emptyDatabase } from '#tests/support/database.ts';
import { killWhileWaiting } from '#tests/support/kill-while-waiting.ts';
import { migrateAsPreviousRelease } from '#tests/support/previous-release.ts';
import { startCommand } from '#tests/support/program.ts';
import { makeAircraft, makePeople, makeSchool } from '#tests/support/school.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'killed-'));
const file = (name: string) => path.join(folder, name);
const env = { TMPDIR: file('tmp'), DATA_DIR: file('data') };
await Promise.all(Object.values(env).map((place) => mkdir(place)));
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

const LEAVING = /\.partial$|^flightline-(?:verify|move)-\d+-[^/]+$/;

async function leavings(): Promise<string[]> {
  return (await readdir(folder, { recursive: true }))
    .map((name) => path.basename(name))
    .filter((name) => LEAVING.test(name));
}

const flightline = (args: string[], DATABASE_URL: string) =>
  startCommand('flightline', args, { env: { ...env, DATABASE_URL } });

const migrated = () => emptyDatabase(inject('postgres').template);

async function count(db: Db, table: keyof Database): Promise<number> {
  const { rows } = await sql`select from ${sql.table(table)}`.execute(db);
  return rows.length;
}

it('what `kill -9` leaves of an upgrade, a backup and an export is removed by the next (B1536)', async () => {
  const { db, url } = await emptyDatabase();
  await migrateAsPreviousRelease(db);
  const killed = async (...args: string[]) => {
    await db.transaction().execute(async (trx) => {
      // The command comes to this table once it has begun to write, and waits.
      await sql`lock table squawks in access exclusive mode`.execute(trx);
      const command = flightline(args, url);
      await expect.poll(leavings, { timeout: 120_000 }).toHaveLength(1);
      await command.end('SIGKILL');
    });
    const left = await leavings();
    const again = flightline(args, url);
    expect([await again.ended(), await leavings()], again.output()).toEqual([0, []]);
    for (const name of left) expect(again.output()).toContain(`${name}, which a command that was killed had left.`);
  };
  await killed('upgrade');
  await makePeople(db, await makeSchool(db));
  await killed('backup', folder);
  await killed('export', file('school.zip'));
});

it('a proof of a backup that was killed leaves a folder and a Postgres, and the next removes it (B1536)', async () => {
  const { db, url } = await emptyDatabase();
  await migrateAsPreviousRelease(db);
  expect(await flightline(['upgrade'], url).ended()).toBe(0);
  await makePeople(db, await makeSchool(db));
  expect(await flightline(['backup', file('b.tar.gz')], url).ended()).toBe(0);
  const proof = flightline(['backup:verify', file('b.tar.gz')], url);
  await expect.poll(leavings, { timeout: 120_000 }).toHaveLength(1);
  await proof.end('SIGKILL');
  const left = await leavings();
  const again = flightline(['backup:verify', file('b.tar.gz')], url);
  expect([await again.ended(), await leavings()], again.output()).toEqual([0, []]);
  expect(again.output()).toContain(`${left[0]}, which a command that was killed had left.`);
});

it('the first start of an embedded database that was killed leaves no folder behind after the next (B1611)', async () => {
  const DATA_DIR = file('embedded');
  // Started by root, Postgres runs as another user.
  await chmod(folder, 0o755);
  const made = () => readdir(path.join(DATA_DIR, 'postgres')).catch(() => []);
  const first = startCommand('db:migrate', [], { env: { DATA_DIR } });
  await expect.poll(made, { timeout: 120_000 }).toContainEqual(expect.stringMatching(/^new-/));
  await first.end('SIGKILL');
  const again = startCommand('db:migrate', [], { env: { DATA_DIR } });
  expect(await again.ended(), again.output()).toBe(0);
  expect(await made()).toEqual(['data', 'server.log']);
});

it('an import of flights that was killed leaves nothing, and the next brings each flight once (B1645)', async () => {
  const { db, url } = await migrated();
  const { administrator } = await makePeople(db, await makeSchool(db));
  await makeAircraft(db, administrator.schoolId, { tail_number: 'N1' });
  const lines = Array.from({ length: 200 }, (_, at) => {
    const times = [at, at + 0.5].map((hour) => new Date(Date.UTC(2026, 0, 1, 0, hour * 60)).toISOString());
    return ['N1', administrator.username, ...times, at + 1, at + 1.5, at + 1, at + 1.5].join(',');
  });
  await writeFile(
    file('flights.csv'),
    ['Aircraft,Pilot,Started,Completed,Hobbs Start,Hobbs End,Tach Start,Tach End', ...lines].join('\n'),
  );
  const importFlights = () => flightline(['import', 'flights', file('flights.csv')], url);
  const left = async () =>
    Promise.all([count(db, 'flight_logs'), count(db, 'imports'), count(db, 'jobs'), count(db, 'audit_entries')]);
  const before = await left();
  for (const moment of [
    'before insert on imports for each row',
    'before insert on flight_logs for each row when (new.start_hobbs = 200)',
    "before insert on audit_entries for each row when (new.action = 'imported file')",
  ]) {
    await killWhileWaiting(db, moment, importFlights);
    expect(await left(), moment).toEqual(before);
  }
  const again = importFlights();
  expect([await again.ended(), await count(db, 'flight_logs')], again.output()).toEqual([0, 200]);
});

it('a school whose move was killed is not there, and comes with the ids of its export by the next (B1646)', async () => {
  const [{ db: source, url: from }, { db, url }] = [await migrated(), await migrated()];
  const { schoolId } = await makeFullSchool(source);
  expect(await flightline(['export', file('moving.zip')], from).ended()).toBe(0);
  const move = () => flightline(['import', 'all', file('moving.zip')], url);
  for (const moment of [
    'before insert on aircraft for each row',
    'before insert on squawks for each row',
    "before insert on audit_entries for each row when (new.action = 'imported school')",
  ]) {
    await killWhileWaiting(db, moment, move);
    expect([await count(db, 'schools'), await count(db, 'photos'), await count(db, 'audit_entries')], moment).toEqual([
      0, 0, 0,
    ]);
  }
  const again = move();
  expect([await again.ended(), again.output()]).toEqual([0, expect.not.stringContaining('Ids were given here before')]);
  expect(await db.selectFrom('schools').select('id').execute()).toEqual([{ id: schoolId }]);
});
