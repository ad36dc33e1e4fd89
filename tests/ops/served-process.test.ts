import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, type Db } from '#db/connect.server.ts';
import { alarmsAfter, metricsPortOf, scrape, valueOf } from '#tests/support/alarms.ts';
import { copyTemplate, LONG_TIMEOUTS } from '#tests/support/database.ts';
import { PostgresProxy } from '#tests/support/postgres-proxy.ts';
import { listenersOn } from '#tests/support/processes.ts';
import { sendRaw } from '#tests/support/raw.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { ownerUrl } from '#tests/support/database-url.ts';

// One start for all of them, which are tried in this order: the last one ends it.

const PATIENCE = { timeout: 120_000, interval: 100 };
const NAME = 'Runway & Nine';
/** 127.0.0.1, as the kernel writes it. */
const LOOPBACK = '0100007F';

let proxy: PostgresProxy;
let server: TestServer;
let db: Db;
let drop: () => Promise<void>;
let metricsPort: number;
let cookie: string;

beforeAll(async () => {
  const copy = await copyTemplate();
  ({ drop } = copy);
  proxy = await PostgresProxy.start(copy.url);
  db = connect(ownerUrl(copy.url), LONG_TIMEOUTS);
  server = await startServer({
    ...{ DATABASE_URL: proxy.url, DATABASE_WAIT_MS: '', LOG_LEVEL: 'info', METRICS_PORT: '0' },
    ...{ PRODUCT_NAME: NAME, SHUTDOWN_GRACE_MS: '5000' },
    NODE_OPTIONS: `--import ${path.resolve('tests/support/fail-on-signal.mjs')}`,
  });
  metricsPort = await metricsPortOf(server);
  cookie = await cookieOf(db, await makeUser(db, await makeSchool(db), 'administrator'));
});
afterAll(async () => {
  await server.stop();
  await proxy.close();
  await db.destroy();
  await drop();
});

async function get(address: string) {
  const answer = await fetch(server.url + address, { headers: { cookie } });
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() };
}

it('pages and the contract show the PRODUCT_NAME that is set (C64)', async () => {
  const shown = NAME.replace('&', '&amp;');
  expect((await get('/')).text).toContain(` · ${shown}</title>`);
  expect(JSON.parse((await get('/api/openapi.json')).text).info.title).toBe(`${NAME} API`);
});

it('the metrics are served at METRICS_PORT to this machine only, and nothing else is (B544)', async () => {
  expect(listenersOn(metricsPort)).toEqual([LOOPBACK]);
  expect((await fetch(`http://127.0.0.1:${metricsPort}/login`)).status).toBe(404);
  expect((await get('/metrics')).text).not.toContain('flightline_');
});

it('the metrics are told to nobody who has reached them by another name, as a page of another site does (B1193)', async () => {
  const ask = (host: string) =>
    sendRaw(`http://127.0.0.1:${metricsPort}`, `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  for (const host of ['localhost', `localhost:${metricsPort}`, '127.0.0.1']) expect((await ask(host)).status).toBe(200);
  for (const host of ['evil.example', `evil.example:${metricsPort}`, 'localhost.evil.example', '']) {
    expect(await ask(host)).toMatchObject({ status: 421, text: expect.not.stringContaining('flightline_') });
  }
});

it('a dropped promise that fails is logged with its stack and counted, and the server goes on (B332)', async () => {
  const defects = async () => valueOf(await scrape(metricsPort), 'flightline_errors_total', { cause: 'defect' });
  const before = [await scrape(metricsPort)];
  const count = await defects();
  process.kill(server.pid, 'SIGUSR2');
  await expect.poll(defects, PATIENCE).toBe(count + 1);
  expect(alarmsAfter([...before, await scrape(metricsPort)])).toContain('FlightlineDefect');
  expect((await get('/account')).status).toBe(200);
  const lines = () =>
    server
      .output()
      .split('\n')
      .filter((line) => line.includes('a promise failed that nobody waited for'));
  await expect.poll(lines, PATIENCE).toHaveLength(1);
  expect(JSON.parse(lines()[0] ?? '')).toMatchObject({
    ...{ level: 50, cause: 'defect' },
    err: { message: 'dropped on purpose', stack: expect.stringContaining('fail-on-signal.mjs') },
  });
});

it('pages, calls and /readyz are 503 with Retry-After while the database is paused, and served after that (B518)', async () => {
  proxy.pause();
  const answers = await Promise.all(['/', '/api/aircraft', '/api/flight-logs/export', '/readyz'].map(get));
  for (const { status, retryAfter } of answers) expect([status, retryAfter]).toEqual([503, '1']);
  expect((await get('/healthz')).status).toBe(200);
  proxy.resume();
  await expect.poll(async () => (await get('/')).status, PATIENCE).toBe(200);
  await expect.poll(async () => (await get('/readyz')).text, PATIENCE).toBe('ready\n');
});

it('a server told to end says so on /readyz while it still serves, keeps no connection, and closes its port (B514)', async () => {
  const connections = new Set<unknown>();
  const statusOf = (address: string) =>
    fetch(server.url + address).then(
      ({ status, headers }) => {
        if (status === 503) connections.add(headers.get('connection'));
        return status;
      },
      () => 'closed' as const,
    );
  expect([await statusOf('/readyz'), await statusOf('/login')]).toEqual([200, 200]);
  const stopped = server.stop();
  const seen = { readyz: new Set<unknown>(), login: new Set<unknown>() };
  while (!seen.readyz.has('closed')) {
    // In this order: a port that is open to the second was open to the first.
    const login = await statusOf('/login');
    const status = await statusOf('/readyz');
    if (status === 503) seen.login.add(login);
    seen.readyz.add(status);
    await sleep(50);
  }
  expect([...seen.readyz].filter((status) => status !== 200)).toEqual([503, 'closed']);
  expect([...seen.login]).toEqual([200]);
  expect([...connections]).toEqual(['close']);
  expect(await stopped).toBe(0);
});
