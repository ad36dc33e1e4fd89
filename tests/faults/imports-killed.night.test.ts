import { expect, it } from 'vitest';
import { killWhileWaiting } from '#tests/support/kill-while-waiting.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { startServer } from '#tests/support/server.ts';

const FLIGHTS = 300;
const waiting = { timeout: 240_000, interval: 100 };

it(
  'an import whose server is killed twice leaves nothing, and the next server does it once (B955, C93)',
  { timeout: 600_000 },
  async () => {
    const first = await startServer({ LOG_LEVEL: 'error' });
    const { db } = first;
    const schoolId = await makeSchool(db);
    const admin = await makeUser(db, schoolId, 'administrator');
    await makeAircraft(db, schoolId, { tail_number: 'N1' });
    const countFlights = async () => (await db.selectFrom('flight_logs').select('id').execute()).length;
    const lastFlight = `before insert on flight_logs for each row when (new.start_hobbs = ${FLIGHTS})`;
    await killWhileWaiting(db, lastFlight, async () => {
      void send(first.url, await cookieOf(db, admin), flightsOf(admin.username)).catch(() => undefined);
      return first;
    });
    expect(await countFlights()).toBe(0);

    const done = "before update on imports for each row when (new.state = 'applied')";
    const second = await killWhileWaiting(db, done, () => startServer({ LOG_LEVEL: 'error' }, () => first.databaseUrl));
    expect(await countFlights()).toBe(0);

    const third = await startServer({ LOG_LEVEL: 'error' }, () => first.databaseUrl);
    const stateOf = async () => (await db.selectFrom('imports').select('state').executeTakeFirst())?.state;
    await expect.poll(stateOf, waiting).toBe('applied');
    expect(await countFlights()).toBe(FLIGHTS);
    const entries = db.selectFrom('audit_entries').select('id').where('action', '=', 'imported file').execute();
    expect(await entries).toHaveLength(1);
    for (const server of [third, second, first]) await server.stop();
  },
);

function flightsOf(pilot: string): string {
  const lines = Array.from({ length: FLIGHTS }, (_, at) => {
    const start = Date.UTC(2026, 0, 1) + at * 7_200_000;
    const times = [start, start + 3_600_000].map((time) => new Date(time).toISOString());
    return ['N1', pilot, ...times, at + 1, at + 2, at + 1, at + 2].join(',');
  });
  return ['Aircraft,Pilot,Started,Completed,Hobbs Start,Hobbs End,Tach Start,Tach End', ...lines].join('\n');
}

function send(url: string, cookie: string, file: string) {
  const body = new FormData();
  body.set('kind', 'flights');
  body.set('file', new File([file], 'flights.csv'));
  return fetch(`${url}/api/imports`, { method: 'POST', headers: { cookie, origin: url }, body });
}
