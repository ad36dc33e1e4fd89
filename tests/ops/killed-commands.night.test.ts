import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { emptyDatabase } from '#tests/support/database.ts';
import { migrateAsPreviousRelease } from '#tests/support/previous-release.ts';
import { startCommand } from '#tests/support/program.ts';
import { makePeople, makeSchool } from '#tests/support/school.ts';

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
