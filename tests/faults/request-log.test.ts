import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { load } from 'cheerio';
import { withoutColumn } from '#tests/support/faults.ts';
import { sendRaw } from '#tests/support/raw.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import type { TestServer } from '#tests/support/server.ts';
import { takesAll } from '#tests/support/takes-all.ts';
import { sharedServer } from '#tests/support/worker.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const lineSchema = z.looseObject({ time: z.number(), path: z.string() });

/** Of Node's own warnings, of the checks whether the server is ready, and of what a busy server warns of. */
const OTHERS = /^\(node:\d+\)|^\(Use `node|"path":"\/(healthz|readyz)"|^\{(?!.*("msg":"request"|forged))/;

/** The lines that the log has gained by these requests, each of which must be JSON. */
async function linesAfter(requests: string[]) {
  const before = server.output().length;
  for (const request of requests) await sendRaw(server.url, `${request}\r\nConnection: close\r\n\r\n`);
  const news = () =>
    server
      .output()
      .slice(before)
      .split('\n')
      .slice(0, -1)
      .filter((line) => !OTHERS.test(line));
  await expect.poll(() => news().length, { timeout: 120_000 }).toBeGreaterThanOrEqual(requests.length);
  return news().map((line) => lineSchema.parse(JSON.parse(line)));
}

it('a line of the request log is JSON that says when, from where, what and how it ended (B407)', async () => {
  const started = Date.now();
  const [line] = await linesAfter(['GET /login?to=%2Fsecret HTTP/1.1\r\nHost: localhost']);
  expect(line).toMatchObject({
    level: 30,
    address: expect.stringMatching(/127\.0\.0\.1$|^::1$/),
    method: 'GET',
    path: '/login',
    status: 200,
    route: '/login',
    ms: expect.any(Number),
    reqId: expect.stringMatching(/^[\da-f-]{36}$/),
    msg: 'request',
  });
  expect(line?.time).toBeGreaterThanOrEqual(started);
  expect(line?.time).toBeLessThanOrEqual(Date.now());
  expect(JSON.stringify(line)).not.toContain('secret');
});

it('files of the build and refused methods are in the request log, too (B407)', async () => {
  const lines = await linesAfter([
    'GET /favicon.svg HTTP/1.1\r\nHost: localhost',
    'TRACE / HTTP/1.1\r\nHost: localhost',
  ]);
  expect(lines.map(({ path }) => path)).toEqual(['/favicon.svg', '/']);
});

it.each([
  '/x"}%0A{"level":50,"msg":"forged"}',
  ...(takesAll ? ['/%0d%0a{"level":50,"msg":"forged"}', '/%E2%80%A8{"level":50}', '/x","level":50,"msg":"forged'] : []),
])('the path %s forges no line and no field of the log (B407)', async (path) => {
  const lines = await linesAfter([`GET ${path} HTTP/1.1\r\nHost: localhost`]);
  expect(lines).toHaveLength(1);
  expect(lines).toMatchObject([{ level: 30, msg: 'request' }]);
});

it('an unexpected error is logged with its stack, and shown to nobody (B407)', async () => {
  const before = server.output().length;
  const cookie = await cookieOf(server.db, await makeUser(server.db, await makeSchool(server.db)));
  const answer = await withoutColumn(server.db, 'users', 'username_key', () =>
    fetch(`${server.url}/users`, { headers: { cookie } }),
  );
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toMatch(/username_key|\n\s+at |node_modules/);
  const errors = () =>
    server
      .output()
      .slice(before)
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.includes('"level":50'));
  await expect.poll(() => errors().length, { timeout: 120_000 }).toBeGreaterThan(0);
  expect(JSON.parse(errors()[0] ?? '')).toMatchObject({ err: { stack: expect.stringContaining('\n    at ') } });
});

/** What one grep for the id finds, once the line of the request is there. */
async function linesOf(reqId: string | null | undefined): Promise<Record<string, unknown>[]> {
  const found = () =>
    server
      .output()
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.includes(`"reqId":"${reqId}"`))
      .map((line) => z.record(z.string(), z.unknown()).parse(JSON.parse(line)));
  await expect.poll(() => found().map(({ msg }) => msg), { timeout: 120_000 }).toContain('request');
  return found();
}

it('the line of a signed-in request says by whom, of which school, and at which route (B540)', async () => {
  const schoolId = await makeSchool(server.db);
  const user = await makeUser(server.db, schoolId);
  const headers = { cookie: await cookieOf(server.db, user) };
  const routes = {
    '/flight-logs/999/cancel': '/flight-logs/:id/cancel',
    '/users.data?x=secret': '/users',
    '/api/flight-logs/999': '/api/flight-logs/:id',
    '/assets/none.js': 'file',
    '/no/such/page': 'unknown',
  };
  for (const [path, route] of Object.entries(routes)) {
    const answer = await fetch(server.url + path, { headers });
    const [line] = await linesOf(answer.headers.get('x-request-id'));
    expect(line).toMatchObject({ user: user.id, school: schoolId, route, status: answer.status, method: 'GET' });
    expect(JSON.stringify(line)).not.toContain('secret');
  }
});

it('no line of the log holds a cookie, an access token, a password, a code or a mail address that was sent (B407)', async () => {
  const cookie = await cookieOf(server.db, await makeUser(server.db, await makeSchool(server.db)));
  const [password, code, address, token] = ['not-for-any-log', '918273', 'logged@x.example', 'flightline_logged_token'];
  const headers = { cookie, origin: server.url };
  const answers = [
    await fetch(`${server.url}/login`, {
      ...{ method: 'POST', headers: { origin: server.url } },
      body: new URLSearchParams({ username: address, password }),
    }),
    await fetch(`${server.url}/api/login`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ username: address, password, code }),
    }),
    await fetch(`${server.url}/account/email`, {
      ...{ method: 'POST', headers },
      body: new URLSearchParams({ email: address, password, code }),
    }),
    await fetch(`${server.url}/api/user?token=${token}&code=${code}`, {
      headers: { authorization: `Bearer ${token}` },
    }),
    await fetch(`${server.url}/api/user`, { headers: { cookie } }),
  ];
  for (const answer of answers) expect(await linesOf(answer.headers.get('x-request-id'))).not.toEqual([]);
  for (const secret of [password, code, address, token, cookie.replace(/^[^=]*=/, '')])
    expect(server.output()).not.toContain(secret);
});

it.each([
  ['a page', 'GET /login HTTP/1.1\r\nHost: localhost'],
  ['a call without a session', 'GET /api/user HTTP/1.1\r\nHost: localhost'],
  ['a file', 'GET /favicon.svg HTTP/1.1\r\nHost: localhost'],
  ['a health check', 'GET /readyz HTTP/1.1\r\nHost: localhost'],
  ['a refused method', 'TRACE / HTTP/1.1\r\nHost: localhost'],
  ['an address that is too long', `GET /${'a'.repeat(2000)} HTTP/1.1\r\nHost: localhost`],
  ['a request without Host', 'GET / HTTP/1.1'],
  ['what cannot be read', 'BREW\r\n'],
  ['a request with an id of its own', 'GET /login HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: forged'],
])('the answer to %s has the id by which the log has its line (B541)', async (_, request) => {
  const { text, status } = await sendRaw(server.url, `${request}\r\nConnection: close\r\n\r\n`);
  const ids = [...text.matchAll(/^x-request-id: (\S+)\r$/gim)].map(([, id]) => id);
  expect(ids).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)]);
  expect(await linesOf(ids[0])).toMatchObject([{ status, msg: 'request' }]);
});

it('a refusal has the same id in its answer, in the log and in the activity (B541)', async () => {
  const schoolId = await makeSchool(server.db);
  const cookie = await cookieOf(server.db, await makeUser(server.db, schoolId));
  const answer = await fetch(`${server.url}/api/invitations`, { headers: { cookie } });
  const id = answer.headers.get('x-request-id');
  expect(await linesOf(id)).toMatchObject([{ status: 403 }]);
  const event = () =>
    server.db.selectFrom('audit_entries').select('action').where('request_id', '=', id).executeTakeFirst();
  await expect.poll(event, { timeout: 120_000 }).toEqual({ action: 'refused request' });
});

it('the reference on an error page leads by one grep to the cause (B542)', async () => {
  const cookie = await cookieOf(server.db, await makeUser(server.db, await makeSchool(server.db)));
  const page = await withoutColumn(server.db, 'scans', 'detected_text', () =>
    fetch(`${server.url}/ocr/history`, { headers: { cookie } }),
  );
  const reference = /Reference ([\da-f-]{36})/.exec(load(await page.text())('main').text())?.[1];
  expect(page.headers.get('x-request-id')).toBe(reference);
  const [cause, request] = await linesOf(reference);
  expect(cause).toMatchObject({
    level: 50,
    cause: 'defect',
    err: { message: expect.stringContaining('detected_text') },
  });
  expect(request).toMatchObject({ route: '/ocr/history', status: 500, cause: 'defect' });
});

it.each([
  ['/ocr/1/save', 403],
  ...(takesAll
    ? ([
        ['/no/such/page', 404],
        ['/flight-log/999/post-check', 404],
      ] as const)
    : []),
] as const)('the error page of %s has a reference (B542)', async (path, status) => {
  const cookie = await cookieOf(server.db, await makeUser(server.db, await makeSchool(server.db)));
  const page = await fetch(server.url + path, { headers: { cookie } });
  expect(page.status).toBe(status);
  expect(load(await page.text())('main').text()).toContain(`Reference ${page.headers.get('x-request-id')}`);
});

it('a call that fails has the id of its cause in the header, and its body as it was (B541, B543)', async () => {
  const cookie = await cookieOf(server.db, await makeUser(server.db, await makeSchool(server.db)));
  const answer = await withoutColumn(server.db, 'aircraft', 'tail_number', () =>
    fetch(`${server.url}/api/aircraft`, { headers: { cookie } }),
  );
  expect(await answer.text()).toBe('Something went wrong. Please try again.');
  expect(await linesOf(answer.headers.get('x-request-id'))).toMatchObject([{ level: 50 }, { status: 500 }]);
});

it('a form that fails says the reference in its toast, one that is refused does not (B542)', async () => {
  const cookie = await cookieOf(server.db, await makeUser(server.db, await makeSchool(server.db), 'administrator'));
  const aircraft = { tailNumber: 'N77FL', make: 'Cessna', model: '172S', year: '2001' };
  const add = async (fields: Record<string, string>) => {
    const headers = { cookie, origin: server.url };
    const page = await fetch(`${server.url}/airplanes/add`, {
      method: 'POST',
      headers,
      body: new URLSearchParams(fields),
    });
    const toast = load(await page.text())('.toast').text();
    return { status: page.status, toast, id: page.headers.get('x-request-id') };
  };
  const failed = await withoutColumn(server.db, 'aircraft', 'make', () => add(aircraft));
  expect(failed.status).toBe(500);
  expect(failed.toast).toContain(`Reference ${failed.id}`);
  await add(aircraft);
  const refused = await add(aircraft);
  expect(refused).toMatchObject({ status: 409, toast: expect.not.stringContaining('Reference') });
});
