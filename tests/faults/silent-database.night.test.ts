import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Db } from '#db/connect.server.ts';
import { copyTemplate, LONG_TIMEOUTS } from '#tests/support/database.ts';
import { completed } from '#tests/support/flight.ts';
import { PostgresProxy } from '#tests/support/postgres-proxy.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { sendUntilServed } from '#tests/support/send-until-served.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { insert } from '#tests/support/rows.ts';

/** Far above the five seconds that are promised: a busy machine is slow, what hangs never answers. */
const PATIENCE_MS = 60_000;

let proxy: PostgresProxy;
let server: TestServer;
let db: Db;
let cookie: string;
let drop: () => Promise<void>;

beforeAll(async () => {
  const copy = await copyTemplate();
  ({ drop } = copy);
  proxy = await PostgresProxy.start(copy.url);
  db = connect(copy.url, LONG_TIMEOUTS);
  server = await startServer({ DATABASE_URL: proxy.url, DATABASE_WAIT_MS: '', LOG_LEVEL: 'silent' });
  const schoolId = await makeSchool(db);
  const admin = await makeUser(db, schoolId, 'administrator');
  cookie = await cookieOf(db, admin);
  const aircraftId = await makeAircraft(db, schoolId);
  const flown = completed('2026-05-02T08:00:00Z', '2026-05-02T09:00:00Z');
  const flights = Array.from({ length: 3000 }, () => ({
    ...{ school_id: schoolId, aircraft_id: aircraftId, user_id: admin.id, start_hobbs: '100.0', start_tach: '90.0' },
    ...{ notes: 'x'.repeat(5000), ...flown },
  }));
  for (let from = 0; from < flights.length; from += 500)
    await insert(db, 'flight_logs', ...flights.slice(from, from + 500));
});
afterAll(async () => {
  await server.stop();
  await proxy.close();
  await db.destroy();
  await drop();
});

async function get(path: string) {
  const answer = await fetch(server.url + path, { headers: { cookie }, signal: AbortSignal.timeout(PATIENCE_MS) });
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() };
}

describe('downloads whose database connection breaks', () => {
  it('a download whose backend dies breaks off, and exports still work after more of them than connections (B516)', async () => {
    for (let download = 0; download < 8; download += 1) {
      const answer = await sendUntilServed(() =>
        fetch(`${server.url}/api/flight-logs/export`, { headers: { cookie } }),
      );
      expect(answer.status).toBe(200);
      const reader = answer.body?.getReader();
      await reader?.read();
      proxy.cutAll();
      const readToEnd = async () => {
        while (!(await reader?.read())?.done);
      };
      await expect(readToEnd()).rejects.toThrow();
    }
    const { status, text } = await sendUntilServed(() => get('/api/flight-logs/export'));
    expect([status, text.split('\r\n').length]).toEqual([200, 3002]);
  });
});
