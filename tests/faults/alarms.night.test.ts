import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { alarmsAfter, metricsPortOf, type Scrape, scrape, valueOf } from '#tests/support/alarms.ts';
import { type DatabaseProxy, startDatabaseProxy } from '#tests/support/database-proxy.ts';
import { withoutColumn } from '#tests/support/faults.ts';
import { completed, makeFlight } from '#tests/support/flight.ts';
import { GOOD } from '#tests/support/odd-pictures.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { insertWebhook } from '#tests/support/webhooks.ts';
import { type Refusing, startRefusing } from '#tests/support/refusing.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const PATIENCE = { timeout: 120_000, interval: 100 };
/** A busy machine stops a process, too, and its disk may be full: only their own tests look at these. */
const OF_THE_MACHINE = ['FlightlineEventLoopBlocked', 'FlightlineDiskNearlyFull'];
/** More than the two seconds after which the rule speaks. */
const STANDSTILL_MS = 3000;
const SILENT = 'FlightlineDatabaseSilent';

let proxy: DatabaseProxy;
let server: TestServer;
let settings: Record<string, string>;
let metricsPort: number;
let nobody: Refusing;
let folder: string;
let cookie: string;
let schoolId: number;

beforeAll(async () => {
  proxy = await startDatabaseProxy(inject('postgres').url);
  folder = await mkdtemp(path.join(tmpdir(), 'flightline-alarms-'));
  nobody = await startRefusing();
  settings = {
    METRICS_PORT: '0',
    LOG_LEVEL: 'info',
    SMTP_URL: `smtp://127.0.0.1:${nobody.port}?tls=optional`,
    NODE_OPTIONS: ['break-reader', 'set-clock-back']
      .map((name) => `--import ${path.resolve(`tests/support/${name}.mjs`)}`)
      .join(' '),
    CLOCK_SET_BACK: path.join(folder, 'set-back'),
    BREAK_READER: path.join(folder, 'broken'),
  };
  await start();
  schoolId = await makeSchool(server.db);
  cookie = await cookieOf(server.db, await makeUser(server.db, schoolId, 'administrator'));
  await get('/users');
});
afterAll(async () => {
  await proxy.pass();
  await server.stop();
  await proxy.stop();
  await nobody.stop();
  await rm(folder, { recursive: true });
});

async function start(): Promise<void> {
  server = await startServer(settings, proxy.through);
  metricsPort = await metricsPortOf(server);
}

function get(address: string, of = cookie): Promise<Response> {
  return fetch(server.url + address, { headers: { cookie: of } });
}

function post(address: string, body: object, key: string = randomUUID()): Promise<Response> {
  const headers = { cookie, 'content-type': 'application/json', 'idempotency-key': key };
  return fetch(server.url + address, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** The alarms of a minute in which this happened, and the fault still is. */
async function alarmsOf(fault: () => Promise<unknown>, scrapeAfter = scrapeInTime): Promise<string[]> {
  const scrapes: Scrape[] = [await scrapeInTime(metricsPort)];
  await fault();
  scrapes.push(await scrapeAfter(metricsPort));
  return alarmsAfter(scrapes).filter((name) => !OF_THE_MACHINE.includes(name));
}

/** A busy machine, too, may let a database answer too late, but not always. */
async function scrapeInTime(port: number): Promise<Scrape> {
  let found: Scrape = [];
  await expect
    .poll(async () => {
      found = await scrape(port);
      return alarmsAfter([found]);
    }, PATIENCE)
    .not.toContain(SILENT);
  return found;
}

async function onceServedAgain(): Promise<void> {
  await expect.poll(async () => (await get('/api/user')).status, PATIENCE).toBe(200);
  await expect.poll(async () => valueOf(await scrape(metricsPort), 'flightline_ready'), PATIENCE).toBe(1);
}

const allowing = (change: ReturnType<typeof sql.raw>) =>
  server.db.transaction().execute(async (trx) => {
    await sql`set transaction read write`.execute(trx);
    await sql`alter database ${sql.id(new URL(server.databaseUrl).pathname.slice(1))} ${change}`.execute(trx);
  });

describe('the metrics', () => {
  it('a process whose METRICS_PORT is taken says so and serves, and warms its photo reader unasked (B544, B548)', async () => {
    const other = await startServer({ METRICS_PORT: String(metricsPort), LOG_LEVEL: 'info', PHOTO_WARM_UP: 'yes' });
    onTestFinished(async () => void (await other.stop()));
    await expect
      .poll(() => other.output(), PATIENCE)
      .toContain(`METRICS_PORT ${metricsPort} cannot be opened: this process serves no metrics`);
    expect((await fetch(`${other.url}/login`)).status).toBe(200);
    // Here, because it is a start with settings of its own.
    await expect.poll(() => other.output(), PATIENCE).toContain('the photo reader is warm');
  });

  it('requests, flights and refused sign-ins count once each, repeated requests not (B545)', async () => {
    const aircraftId = await makeAircraft(server.db, schoolId);
    const labels = { route: '/api/flight-logs/:id', method: 'GET', status: '4xx' };
    const counts = async () => {
      const now = await scrape(metricsPort);
      const flights = ['checked out', 'checked in', 'cancelled'].map((event) =>
        valueOf(now, 'flightline_flights_total', { event }),
      );
      const asked = now.find(
        ({ name, labels: own }) =>
          name === 'flightline_http_request_duration_seconds_count' &&
          Object.entries(labels).every(([key, value]) => own[key] === value),
      );
      return [...flights, valueOf(now, 'flightline_sign_ins_refused_total'), asked?.value];
    };
    const checkOut = async (key: string) => {
      const flight = { aircraftId, startHobbsTime: '1.0', startTachTime: '1.0' };
      return z.object({ id: z.number() }).parse(await (await post('/api/flight-logs', flight, key)).json()).id;
    };
    const send = (path: string, fields: Record<string, string>, own = {}) => {
      const request = { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) } as const;
      return fetch(server.url + path, { ...request, headers: { ...own, origin: server.url } });
    };
    expect(await counts()).toEqual([0, 0, 0, 0, undefined]);
    for (const id of [998, 999]) await get(`/api/flight-logs/${id}`);
    const [id] = [await checkOut('first'), await checkOut('first')];
    expect(await counts()).toEqual([1, 0, 0, 0, 2]);
    await post(`/api/flight-logs/${id}/complete`, { endHobbsTime: '2.0', endTachTime: '2.0' }, 'second');
    await send(`/flight-logs/${await checkOut('third')}/cancel`, { reason: 'Fog' }, { cookie });
    await send('/login', { username: 'nobody', password: 'wrong' });
    await post('/api/login', { username: 'nobody', password: 'wrong' });
    expect(await counts()).toEqual([2, 1, 1, 2, 2]);
  });
});

describe('each fault raises its own alarm and no other', () => {
  it('nothing is raised while all is well (B546)', async () => {
    expect(await alarmsOf(() => get('/users'))).toEqual([]);
  });

  it('a database that refuses connections (B546)', async () => {
    const alarms = await alarmsOf(async () => {
      await proxy.refuse();
      expect((await get('/users')).status).toBe(503);
    });
    await proxy.pass();
    expect(alarms).toEqual(['FlightlineDatabaseUnreachable']);
    await onceServedAgain();
  });

  it('a database that falls silent (B546)', async () => {
    const alarms = await alarmsOf(async () => proxy.silence(), scrape);
    await proxy.pass();
    expect(alarms).toEqual([SILENT]);
    await onceServedAgain();
  });

  it.each([
    ['that has become read-only', 'set default_transaction_read_only = on', 'FlightlineDatabaseReadOnly'],
    ['without a connection left', 'connection limit 0', 'FlightlineDatabaseFull'],
  ])('a database %s (B546)', async (_, change, alarm) => {
    const alarms = await alarmsOf(() => allowing(sql.raw(change)));
    await allowing(sql.raw(change.startsWith('set') ? 'reset default_transaction_read_only' : 'connection limit -1'));
    expect(alarms).toEqual([alarm]);
    await onceServedAgain();
  });

  it.each([
    ['connections that break while new ones are to be had', '08006', 'FlightlineDatabaseFails'],
    ['a disk on which Postgres cannot write', '53100', 'FlightlineDiskFull'],
  ])('%s (B546)', async (_, code, alarm) => {
    const alarms = await alarmsOf(async () => {
      await sql`create function cut() returns trigger language plpgsql as $$
        begin raise exception 'cut' using errcode = ${sql.lit(code)}; end $$`.execute(server.db);
      await sql`create trigger cut before insert on aircraft execute function cut()`.execute(server.db);
      const answer = await post('/api/aircraft', { tailNumber: 'N77FL', make: 'Cessna', model: '172S', year: 2001 });
      expect(answer.status).toBe(503);
      await sql`drop function cut() cascade`.execute(server.db);
    });
    expect(alarms).toEqual([alarm]);
  });

  it('requests that wait in vain for a connection (B546)', async () => {
    const alarms = await alarmsOf(async () => {
      await sql`alter table sessions enable row level security, force row level security`.execute(server.db);
      await sql`create policy slow on sessions using (pg_sleep(3.5) is not null)`.execute(server.db);
      const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await get('/api/user')).status));
      expect(statuses).toContain(503);
      await sql`drop policy slow on sessions`.execute(server.db);
      await sql`alter table sessions disable row level security, no force row level security`.execute(server.db);
    });
    expect(alarms).toEqual(['FlightlinePoolExhausted']);
  });

  it('a defect (B546)', async () => {
    const alarms = await alarmsOf(() =>
      withoutColumn(server.db, 'users', 'username_key', async () => expect((await get('/users')).status).toBe(500)),
    );
    expect(alarms).toEqual(['FlightlineDefect']);
  });

  it.each([
    ['is away', sql``, 'FlightlineMailStuck'],
    ['refuses a mail for good', sql`given_up_at = now(),`, 'FlightlineMailRefused'],
  ])('a mail server that %s (B546, B963)', async (_, change, alarm) => {
    const alarms = await alarmsOf(async () => {
      await post('/api/invitations', { name: 'Ben', email: 'ben@invited.example', role: 'student' });
      const late = sql`update jobs set ${change} due_at = due_at - interval '1 minute' where kind = 'mail'`;
      await late.execute(server.db);
    });
    await server.db.deleteFrom('invitations').execute();
    await server.db.deleteFrom('mail_outbox').execute();
    expect(alarms).toEqual([alarm]);
  });

  it('a schema that lacks a migration (B546)', async () => {
    const named = sql`name = (select max(name) from kysely_migration)`;
    const { rows } = await sql`delete from kysely_migration where ${named} returning name, timestamp`.execute(
      server.db,
    );
    const alarms = await alarmsOf(() => Promise.resolve());
    const [{ name, timestamp }] = z.tuple([z.object({ name: z.string(), timestamp: z.string() })]).parse(rows);
    await sql`insert into kysely_migration (name, timestamp) values (${name}, ${timestamp})`.execute(server.db);
    expect(alarms).toEqual(['FlightlineSchemaBehind']);
  });

  it('somebody who guesses passwords (B546)', async () => {
    const guess = () => post('/api/login', { username: 'nobody', password: 'wrong' });
    const alarms = await alarmsOf(() => Promise.all(Array.from({ length: 70 }, guess)));
    expect(alarms).toEqual(['FlightlineSignInsRefused']);
  });

  it('a webhook that takes no events (B546, B884)', async () => {
    const alarms = await alarmsOf(async () => {
      await insertWebhook(server.db, schoolId, { failing_since: new Date() });
    });
    await server.db.deleteFrom('webhooks').execute();
    expect(alarms).toEqual(['FlightlineWebhookFails']);
  });

  it('a photo reader whose thread ends (B546)', async () => {
    await writeFile(path.join(folder, 'broken'), '');
    const aircraftId = await makeAircraft(server.db, schoolId);
    const photo = { aircraftId, meterType: 'hobbs', imageData: GOOD.toString('base64') };
    const alarms = await alarmsOf(async () => expect((await post('/api/analyze-image', photo)).status).toBe(502));
    await rm(path.join(folder, 'broken'));
    expect(alarms).toEqual(['FlightlinePhotoReaderFails']);
  });

  it('an event loop that stands still for more than two seconds (B546)', async () => {
    const before = await scrape(metricsPort);
    process.kill(server.pid, 'SIGSTOP');
    await sleep(STANDSTILL_MS);
    process.kill(server.pid, 'SIGCONT');
    const raised = async () =>
      alarmsAfter([before, await scrape(metricsPort)]).filter((name) => name !== 'FlightlineDiskNearlyFull');
    await expect.poll(raised, PATIENCE).toEqual(['FlightlineEventLoopBlocked']);
  });

  it('downloads that take all places of exports (B546)', async () => {
    const alarms = await alarmsOf(async () => {
      for (let school = 0; school < 3; school += 1) await stallTwoDownloads();
      await expect.poll(async () => valueOf(await scrape(metricsPort), 'flightline_exports_running'), PATIENCE).toBe(6);
    });
    expect(alarms).toEqual(['FlightlineExportsFull']);
  });

  it('a clock that is set back (B546, B963)', async () => {
    const alarms = await alarmsOf(() => writeFile(path.join(folder, 'set-back'), ''));
    await rm(path.join(folder, 'set-back'));
    expect(alarms).toEqual(['FlightlineClockWrong']);
  });

  it('a process that is gone, and one that has been started again (B546, B963)', async () => {
    const before = await scrape(metricsPort);
    expect(await alarmsOf(() => server.stop())).toEqual(['FlightlineDown']);
    await start();
    const alarms = alarmsAfter([before, await scrapeInTime(metricsPort)]).filter(
      (name) => !OF_THE_MACHINE.includes(name),
    );
    expect(alarms).toEqual(['FlightlineRestarted']);
  });
});

/** Of a school with more flights than fit into the buffers of a connection that nobody reads. */
async function stallTwoDownloads(): Promise<void> {
  const id = await makeSchool(server.db);
  const user = await makeUser(server.db, id, 'administrator');
  const flight = await makeFlight(server.db, user, await makeAircraft(server.db, id), {
    ...completed('2026-05-12T14:00Z', '2026-05-12T15:18Z'),
    notes: 'x'.repeat(20_000),
  });
  await sql`
    insert into flight_logs (school_id, aircraft_id, user_id, start_hobbs, start_tach, end_hobbs, end_tach, created_at, completed_at, notes)
    select school_id, aircraft_id, user_id, start_hobbs, start_tach, end_hobbs, end_tach, created_at, completed_at, notes
    from flight_logs, generate_series(1, 600) where id = ${flight}`.execute(server.db);
  const own = await cookieOf(server.db, user);
  for (const _ of [1, 2]) {
    const { port } = new URL(server.url);
    const socket = connect({ host: '127.0.0.1', port: Number(port) }).on('error', () => {});
    onTestFinished(() => void socket.destroy());
    socket.pause().write(`GET /api/flight-logs/export HTTP/1.1\r\nHost: localhost\r\nCookie: ${own}\r\n\r\n`);
  }
}
