import { sql } from 'kysely';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { bearerOf } from '#tests/support/access-tokens.ts';
import { completed, makeFlight } from '#tests/support/flight.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import type { TestServer } from '#tests/support/server.ts';
import { nightly } from '#tests/support/takes-all.ts';
import { sharedServer } from '#tests/support/worker.ts';

const run = promisify(execFile);
const document = await readFile('docs/api.md', 'utf8');
const MONTH = { from: '2026-05-01', to: '2026-05-31' };

let server: TestServer;
let pilot: Member;
let authorization: string;
beforeAll(async () => {
  server = await sharedServer();
  const schoolId = await makeSchool(server.db);
  pilot = await makeUser(server.db, schoolId, 'administrator');
  authorization = await bearerOf(server.db, pilot, 'manage');
  const aircraftId = await makeAircraft(server.db, schoolId);
  const other = await makeUser(server.db, schoolId);
  for (const [day, flyer, hours] of [
    ['2026-04-30', pilot, '105.0'],
    ['2026-05-01', pilot, '100.1'],
    ['2026-05-12', other, '101.25'],
    ['2026-05-31', pilot, '100.2'],
  ] as const) {
    const end = { ...completed(`${day}T16:00:00Z`, `${day}T18:00:00Z`), end_hobbs: hours, completed_by: flyer.id };
    await makeFlight(server.db, flyer, aircraftId, end);
  }
  // Somebody of this name comes after whoever has left.
  await server.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', other.id).execute();
  const namesake = await makeUser(server.db, schoolId, 'student', other.username);
  const end = { ...completed('2026-05-20T16:00:00Z', '2026-05-20T18:00:00Z'), end_hobbs: '102.00' };
  await makeFlight(server.db, namesake, aircraftId, { ...end, completed_by: namesake.id });
  await makeFlight(server.db, pilot, aircraftId);
});

const environment = () => ({
  ...process.env,
  FLIGHTLINE_URL: server.url,
  FLIGHTLINE_TOKEN: authorization.replace('Bearer ', ''),
});
const blocks = (language: string) =>
  [...document.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text);

it('the script of at most 15 lines in docs/api.md sums a month as the Hours screen does (B859)', async () => {
  const { stdout } = await runScript(await scriptOf('books.py'), MONTH.from, MONTH.to);
  const hours = await fetch(`${server.url}/api/flight-logs/hours/export?by=pilot&from=${MONTH.from}&to=${MONTH.to}`, {
    headers: { authorization },
  });
  const rows = (await hours.text())
    .replace('\uFEFF', '')
    .trim()
    .split('\r\n')
    .map((row) => row.split(','));
  const [names = []] = rows;
  const places = ['pilot', 'pilot id', 'Hobbs hours'].map((name) => names.indexOf(name));
  const sums = rows.slice(1).map((row) => places.map((at) => row[at]).join(','));
  expect(sums).toEqual(expect.arrayContaining(stdout.trim().split('\n')));
  const hoursOf = (line: string) => line.split(',').at(-1);
  expect(stdout.trim().split('\n').map(hoursOf).toSorted()).toEqual(['0.30', '1.25', '2.00']);
});

nightly(
  'the script of at most 15 lines in docs/api.md follows the list, flights that are deleted too (B859, B956)',
  async () => {
    const file = await scriptOf('follow.py');
    const kept = path.join(path.dirname(file), 'flights.json');
    const follow = async () => {
      await runScript(file, kept);
      const { flights } = JSON.parse(await readFile(kept, 'utf8')) as { flights: Record<string, { id: number }> };
      const list = await fetch(`${server.url}/api/flight-logs`, { headers: { authorization } });
      const all = (await list.json()) as { id: number }[];
      expect(Object.values(flights).toSorted((a, b) => b.id - a.id)).toEqual(all.toSorted((a, b) => b.id - a.id));
      return all;
    };
    const [newest] = await follow();
    await sql`delete from flight_logs where id = ${newest?.id}`.execute(server.db);
    expect((await follow()).map(({ id }) => id)).not.toContain(newest?.id);
  },
);

nightly.each(blocks('sh').map((text) => [/api\/[\w-]+/.exec(text)?.[0] ?? '', text]))(
  'the example of %s in docs/api.md runs as it stands (B859)',
  async (_call, text) => {
    const fleet = server.db.selectFrom('aircraft').select('id').where('school_id', '=', pilot.schoolId);
    const example = text.replace('"aircraftId": 1', `"aircraftId": ${(await fleet.executeTakeFirst())?.id}`);
    const { stdout } = await run('sh', ['-c', example], { env: environment() });
    const [head = '', body = head] = stdout.split('\r\n\r\n');
    expect(JSON.parse(body)).toMatchObject(
      text.includes('limit=2') ? [{ id: expect.any(Number) }, {}] : { id: expect.any(Number) },
    );
    if (text.includes('limit=2'))
      expect(head).toMatch(/^link: <\/api\/flight-logs\?.*>; rel="next", <.*>; rel="monitor"$/im);
  },
);

async function scriptOf(name: string): Promise<string> {
  const text = document.split(`python3 ${name}`)[1] ?? '';
  const [, script = ''] = /^```python\n(.*?)^```/ms.exec(text) ?? [];
  expect(script.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
  const folder = await mkdtemp(path.join(tmpdir(), 'script-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, name);
  await writeFile(file, script);
  return file;
}

function runScript(file: string, ...words: string[]) {
  return run('python3', [file, ...words], { env: environment() });
}

it('docs/api.md names the limits as they are (B859)', async () => {
  const answer = await fetch(`${server.url}/api/user`, { headers: { authorization } });
  expect(answer.headers.get('ratelimit-policy')).toBe('"token";q=300;w=60');
  expect(document).toContain('300 requests a minute');
});
