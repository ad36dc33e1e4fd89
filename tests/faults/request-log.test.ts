import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { load } from 'cheerio';
import type { Role } from '#db/roles.ts';
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

/** Who has signed in, in a school of their own. */
async function signedIn(role: Role = 'student') {
  const user = await makeUser(server.db, await makeSchool(server.db), role);
  return { user, cookie: await cookieOf(server.db, user) };
}

it('a line of the log is JSON that says when, from where, what and how it ended, of files and refusals too (B407)', async () => {
  const started = Date.now();
  const [line, ...others] = await linesAfter([
    'GET /login?to=%2Fsecret HTTP/1.1\r\nHost: localhost',
    'GET /favicon.svg HTTP/1.1\r\nHost: localhost',
    'TRACE / HTTP/1.1\r\nHost: localhost',
  ]);
  expect(line).toMatchObject({
    ...{ level: 30, method: 'GET', path: '/login', status: 200, route: '/login', msg: 'request' },
    ...{ address: expect.stringMatching(/127\.0\.0\.1$|^::1$/), ms: expect.any(Number) },
    reqId: expect.stringMatching(/^[\da-f-]{36}$/),
  });
  expect(line?.time).toBeGreaterThanOrEqual(started);
  expect(line?.time).toBeLessThanOrEqual(Date.now());
  expect(JSON.stringify(line)).not.toContain('secret');
  expect(others.map(({ path }) => path)).toEqual(['/favicon.svg', '/']);
});

const FORGERIES = [
  '/x"}%0A{"level":50,"msg":"forged"}',
  ...(takesAll ? ['/%0d%0a{"level":50,"msg":"forged"}', '/%E2%80%A8{"level":50}', '/x","level":50,"msg":"forged'] : []),
];

it('no path forges a line or a field of the log (B407)', async () => {
  for (const path of FORGERIES) {
    const lines = await linesAfter([`GET ${path} HTTP/1.1\r\nHost: localhost`]);
    expect(lines).toHaveLength(1);
    expect(lines).toMatchObject([{ level: 30, msg: 'request' }]);
  }
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
  const { user, cookie } = await signedIn();
  const routes = {
    '/flight-logs/999/cancel': '/flight-logs/:id/cancel',
    '/users.data?x=secret': '/users',
    '/api/flight-logs/999': '/api/flight-logs/:id',
    '/assets/none.js': 'file',
    '/no/such/page': 'unknown',
  };
  for (const [path, route] of Object.entries(routes)) {
    const { status, headers } = await fetch(server.url + path, { headers: { cookie } });
    const [line] = await linesOf(headers.get('x-request-id'));
    expect(line).toMatchObject({ user: user.id, school: user.schoolId, route, status, method: 'GET' });
    expect(JSON.stringify(line)).not.toContain('secret');
  }
});

it('no line of the log holds a cookie, an access token, a password, a code or a mail address that was sent (B407)', async () => {
  const { cookie } = await signedIn();
  const [password, code, address, token] = ['not-for-any-log', '918273', 'logged@x.example', 'flightline_logged_token'];
  const origin = server.url;
  const post = (path: string, fields: Record<string, string>) =>
    fetch(server.url + path, { method: 'POST', headers: { cookie, origin }, body: new URLSearchParams(fields) });
  const answers = [
    await fetch(`${server.url}/api/user`, { headers: { cookie } }),
    await post('/account/email', { email: address, password, code }),
    await fetch(`${server.url}/api/login`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ username: address, password, code }),
    }),
    await fetch(`${server.url}/api/user?token=${token}&code=${code}`, {
      headers: { authorization: `Bearer ${token}` },
    }),
    await post('/login', { username: address, password }),
  ];
  for (const answer of answers) expect(await linesOf(answer.headers.get('x-request-id'))).not.toEqual([]);
  for (const secret of [password, code, address, token, cookie.replace(/^[^=]*=/, '')])
    expect(server.output()).not.toContain(secret);
});

it('every answer has the id by which the log has its line (B541)', async () => {
  for (const request of [
    'GET /login HTTP/1.1\r\nHost: localhost',
    'GET /api/user HTTP/1.1\r\nHost: localhost',
    'GET /favicon.svg HTTP/1.1\r\nHost: localhost',
    'GET /readyz HTTP/1.1\r\nHost: localhost',
    'TRACE / HTTP/1.1\r\nHost: localhost',
    `GET /${'a'.repeat(2000)} HTTP/1.1\r\nHost: localhost`,
    'GET / HTTP/1.1',
    'BREW\r\n',
    'GET /login HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: forged',
  ]) {
    const { text, status } = await sendRaw(server.url, `${request}\r\nConnection: close\r\n\r\n`);
    const ids = [...text.matchAll(/^x-request-id: (\S+)\r$/gim)].map(([, id]) => id);
    expect(ids, request).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)]);
    expect(await linesOf(ids[0]), request).toMatchObject([{ status, msg: 'request' }]);
  }
});

it('a refusal has the same id in its answer, in the log and in the activity, and on its page (B541, B542)', async () => {
  const { cookie } = await signedIn();
  const answer = await fetch(`${server.url}/api/invitations`, { headers: { cookie } });
  const id = answer.headers.get('x-request-id');
  expect(await linesOf(id)).toMatchObject([{ status: 403 }]);
  const event = server.db.selectFrom('audit_entries').select('action').where('request_id', '=', id);
  await expect.poll(() => event.executeTakeFirst(), { timeout: 120_000 }).toEqual({ action: 'refused request' });
  for (const [path, status] of Object.entries({ '/ocr/1/save': 403, '/no/such/page': 404 })) {
    const page = await fetch(server.url + path, { headers: { cookie } });
    expect(page.status).toBe(status);
    expect(load(await page.text())('main').text()).toContain(`Reference ${page.headers.get('x-request-id')}`);
  }
});

it('the reference on an error page leads by one grep to the cause, whose stack nobody is shown (B407, B542)', async () => {
  const { cookie } = await signedIn();
  const page = await withoutColumn(server.db, 'scans', 'detected_text', () =>
    fetch(`${server.url}/ocr/history`, { headers: { cookie } }),
  );
  const text = await page.text();
  const reference = /Reference ([\da-f-]{36})/.exec(load(text)('main').text())?.[1];
  expect(page.headers.get('x-request-id')).toBe(reference);
  expect(text).not.toMatch(/detected_text|\n\s+at |node_modules/);
  const [cause, request] = await linesOf(reference);
  const err = { message: expect.stringContaining('detected_text'), stack: expect.stringContaining('\n    at ') };
  expect(cause).toMatchObject({ level: 50, cause: 'defect', err });
  expect(request).toMatchObject({ route: '/ocr/history', status: 500, cause: 'defect' });
});

it('a call that fails has the id of its cause in the header, and its body as it was (B541, B543)', async () => {
  const { cookie } = await signedIn();
  const answer = await withoutColumn(server.db, 'aircraft', 'tail_number', () =>
    fetch(`${server.url}/api/aircraft`, { headers: { cookie } }),
  );
  expect(await answer.text()).toBe('Something went wrong. Please try again.');
  expect(await linesOf(answer.headers.get('x-request-id'))).toMatchObject([{ level: 50 }, { status: 500 }]);
});

it('a form that fails says the reference in its toast, one that is refused does not (B542)', async () => {
  const { cookie } = await signedIn('administrator');
  const add = async () => {
    const body = new URLSearchParams({ tailNumber: 'N77FL', make: 'Cessna', model: '172S', year: '2001' });
    const headers = { cookie, origin: server.url };
    const page = await fetch(`${server.url}/airplanes/add`, { method: 'POST', headers, body });
    const toast = load(await page.text())('.toast').text();
    return { status: page.status, toast, id: page.headers.get('x-request-id') };
  };
  const failed = await withoutColumn(server.db, 'aircraft', 'make', add);
  expect(failed).toMatchObject({ status: 500, toast: expect.stringContaining(`Reference ${failed.id}`) });
  await add();
  expect(await add()).toMatchObject({ status: 409, toast: expect.not.stringContaining('Reference') });
});
