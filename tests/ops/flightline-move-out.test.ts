import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeFullSchool } from '#tests/support/archive/full-school.ts';
import { readZip } from '#tests/support/archive/read-zip.ts';
import { testDatabase } from '#tests/support/database.ts';
import { ended } from '#tests/support/ended.ts';
import { startCommand } from '#tests/support/program.ts';
import { makeSchool } from '#tests/support/school.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db: source, url: sourceUrl } = await testDatabase();
const { db: target, url: targetUrl } = await testDatabase();
const folder = await mkdtemp(path.join(tmpdir(), 'move-out-'));
afterAll(() => rm(folder, { recursive: true }));

async function flightline(url: string, ...args: string[]) {
  const program = startCommand('flightline', args, { env: { DATABASE_URL: url, APP_URL: 'http://localhost:3000' } });
  return { code: await program.ended(), output: program.output() };
}

it('a school goes out and in by command, and its administrator gets a link (B845)', async () => {
  await makeFullSchool(source);
  const { name } = await source.selectFrom('schools').select('name').executeTakeFirstOrThrow();
  const file = path.join(folder, 'school.zip');
  expect(await flightline(sourceUrl, 'export', file)).toMatchObject({ code: 0, output: expect.stringContaining(name) });
  expect(await readdir(folder)).toEqual(['school.zip']);
  expect(Object.keys(await readZip(await readFile(file)))).toContain('manifest.json');

  const moved = await flightline(targetUrl, 'import', 'all', file);
  expect(moved).toMatchObject(ended(0, /http:\/\/localhost:3000\/reset-password\?token=[\w-]+/));
  expect((await target.selectFrom('schools').select('name').execute()).map((school) => school.name)).toEqual([name]);
});

nightly(
  'a school that moves in twice is asked for other usernames, and is named where there are two (B845, B1325)',
  async () => {
    expect(await flightline(targetUrl, 'import', 'all', path.join(folder, 'school.zip'))).toMatchObject(
      ended(2, 'Other usernames are needed'),
    );
    await makeSchool(source, { name: 'Second School' });
    const which = await flightline(sourceUrl, 'export', path.join(folder, 'which.zip'));
    expect(which).toMatchObject(ended(2, "'Second School'"));
  },
);
