import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { countWaiting, withoutColumn } from '#tests/support/faults.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const NOBODY_WAITED = 'a promise failed that nobody waited for';
const PATIENCE = { timeout: 120_000, interval: 100 };
const PRELOAD = { LOG_LEVEL: 'info', NODE_OPTIONS: `--import ${path.resolve('tests/support/fail-on-signal.mjs')}` };

let server: TestServer;
beforeAll(async () => {
  server = await startServer(PRELOAD);
});
afterAll(() => server.stop());

async function administratorOf({ db }: TestServer): Promise<Record<string, string>> {
  return { cookie: await cookieOf(db, await makeUser(db, await makeSchool(db), 'administrator')) };
}

it('a page whose choices fail drops no promise, and the server goes on (B331)', async () => {
  const headers = await administratorOf(server);
  for (const page of ['/flight-logs/hours', '/flight-logs']) {
    await withoutColumn(server.db, 'users', 'username_key', () => fetch(server.url + page, { headers }));
    // Whatever the page had begun has ended once its connection answers somebody else.
    await expect.poll(() => countBusy(server), PATIENCE).toBe(0);
    expect((await fetch(server.url + page, { headers })).status).toBe(200);
  }
  expect(server.output()).not.toContain(NOBODY_WAITED);
});

it('an error that nobody catches ends the server with 1, after the requests in it have their answers (B333)', async () => {
  const other = await startServer(PRELOAD);
  onTestFinished(async () => void (await other.stop()));
  const headers = await administratorOf(other);
  // What a server does once it has started may read the fleet, too.
  await expect.poll(() => countBusy(other), PATIENCE).toBe(0);
  const answer = await other.db.transaction().execute(async (trx) => {
    await sql`lock table aircraft in access exclusive mode`.execute(trx);
    const page = { answer: fetch(`${other.url}/airplanes`, { headers }) };
    await expect.poll(() => countWaiting(other.db), PATIENCE).toBe(1);
    process.kill(other.pid, 'SIGWINCH');
    await expect.poll(() => other.output(), PATIENCE).toContain('thrown on purpose');
    return page;
  });
  expect((await answer.answer).status).toBe(200);
  expect(await other.stop()).toBe(1);
});

async function countBusy({ db }: TestServer): Promise<number> {
  const busy = sql`select from pg_stat_activity
    where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`;
  return (await busy.execute(db)).rows.length;
}
