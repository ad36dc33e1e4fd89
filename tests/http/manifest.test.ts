import { expect, it, beforeAll } from 'vitest';
import { type Answer, answerOf, call, cookieOf } from '#tests/support/ask.ts';
import { actionPaths, answerTo, pathWith, type Route, ROUTES } from '#tests/support/routes.ts';
import { makeAircraft, makeSchool, makeUser, testDatabase } from '#tests/support/makers.ts';
import { documentAfter, textOf } from '#tests/support/documents.ts';

const shown = ({ status }: Answer) => expect(status).toBe(200);
const leadsTo =
  (status: number, location: string) =>
  ({ status: answered, headers }: Answer) =>
    expect([answered, headers.get('location')]).toEqual([status, location]);

/** What a visitor may see without signing in (spec §2, C33), and how it answers. */
const PUBLIC_LOADERS: Record<string, (answer: Answer) => void> = {
  '/': ({ status, body }) => expect({ status, body }).toEqual({ status: 200, body: { dashboard: null } }),
  ...{ '/login': shown, '/auth': shown, '/forgot-password': shown, '/login/passkey': shown, '/offline': shown },
  ...{ '/healthz': shown, '/readyz': shown, '/api': shown, '/api/openapi.json': shown, '/manifest.webmanifest': shown },
  '/logout': leadsTo(302, '/'),
  '/register': leadsTo(303, '/auth'),
  '/reset-password': leadsTo(303, '/auth'),
  '/login/code': leadsTo(302, '/login'),
  '/.well-known/security.txt': ({ status }) => expect(status).toBe(404),
  '/api/invitations/:key': ({ status }) => expect(status).toBe(404),
  // Other tests of this process may have asked for many calendars that there are not.
  '/calendar/:key': ({ status }) => expect([404, 429]).toContain(status),
  // Of the build, which the run of this test may come before.
  '/sw.js': ({ status }) => expect([200, 404]).toContain(status),
};

/** What a visitor may send without signing in: refused for its contents, or done. */
const PUBLIC_ACTIONS: Record<string, number[]> = {
  '/login': [400],
  '/auth': [400],
  '/logout': [303],
  '/register': [303, 400],
  '/reset-password': [303, 400],
  '/forgot-password': [400],
  '/login/code': [303],
  '/login/passkey': [415],
  '/api/login': [400],
  '/api/logout': [200],
};

const { db } = await testDatabase();

const ORIGIN = 'http://localhost:3000';
const PARAMS = { id: '1', key: '1', '*': 'no/such/page' };
const loaded = await Promise.all(ROUTES.map(async ({ load, ...route }) => ({ ...route, ...(await load()) })));
const loaders = loaded.flatMap(({ loader, ...route }) => (loader ? [{ ...route, loader }] : []));
const actions = loaded.flatMap(({ action, ...route }) => (action ? [{ ...route, action }] : []));

it('a GET or a write of whoever is signed out asks to sign in, or is public (B016, B285, C29)', async () => {
  for (const { path, kind, loader } of loaders) {
    const url = pathWith(path, '1');
    const answer = await answerOf(loader(call(new Request(ORIGIN + url), PARAMS)));
    const expected = PUBLIC_LOADERS[path];
    if (expected) expected(answer);
    else if (kind === 'resource') expectUnauthorizedOrNoSuchMethod(answer, path);
    else expectSignIn(answer, url, 302);
  }
  for (const { path, kind, action } of actions) {
    for (const request of writesTo({ path, kind }, { origin: ORIGIN })) {
      const answer = await answerOf(action(call(request, PARAMS)));
      const expected = PUBLIC_ACTIONS[path];
      if (path === '/api/invitations' && request.method === 'POST') expectMessage(answer);
      else if (expected)
        expect(kind === 'resource' ? [...expected, 405] : expected, `${request.method} ${path}`).toContain(
          answer.status,
        );
      else if (kind === 'resource') expectUnauthorizedOrNoSuchMethod(answer, path);
      else expectSignIn(answer, pathWith(path, '1'), 303);
    }
  }
  expect(loaders.length).toBeGreaterThan(20);
  expect(actions.length).toBeGreaterThan(15);
});

it('a write from another site is refused before its body is read (B322, C27)', async () => {
  for (const { path, kind, action } of actions) {
    const statuses = new Set<number>();
    for (const request of writesTo({ path, kind }, { origin: 'https://evil.example' })) {
      const answer = await answerOf(action(call(request, PARAMS)));
      statuses.add(answer.status);
      expect([answer.headers.getSetCookie(), request.bodyUsed], path).toEqual([[], false]);
    }
    statuses.delete(405);
    // A call that only reads has no method that writes.
    if (kind === 'page' || statuses.size > 0) expect([...statuses], path).toEqual([403]);
  }
});

function writesTo({ path, kind }: Pick<Route, 'path' | 'kind'>, headers: Record<string, string>): Request[] {
  const url = ORIGIN + pathWith(path, '1');
  if (kind === 'page')
    return [new Request(url, { method: 'POST', headers, body: new URLSearchParams({ intent: 'x' }) })];
  const json = { ...headers, 'content-type': 'application/json' };
  return ['POST', 'PUT', 'DELETE'].map((method) => new Request(url, { method, headers: json, body: '{}' }));
}

function expectSignIn({ status, headers }: Answer, url: string, expected: number): void {
  expect([status, headers.get('location')]).toEqual([expected, `/login?${new URLSearchParams({ to: url })}`]);
}

/** The one call whose failures are JSON (B269). */
function expectMessage({ status, body }: Answer): void {
  expect([status, JSON.parse(String(body))]).toEqual([401, { message: 'Unauthorized' }]);
}

function expectUnauthorizedOrNoSuchMethod({ status, body }: Answer, path: string): void {
  expect([401, 405], path).toContain(status);
  expect(body, path).toBe(status === 401 ? 'Unauthorized' : 'Method Not Allowed');
}

let schoolId: number, cookie: string;
beforeAll(async () => {
  schoolId = await makeSchool(db);
  cookie = await cookieOf(db, await makeUser(db, schoolId, 'administrator'));
});

const send = (method: string, path: string, fields: Record<string, string> = {}) =>
  answerTo(
    new Request(ORIGIN + path, { method, headers: { cookie, origin: ORIGIN }, body: new URLSearchParams(fields) }),
  );

it('a screen takes a form by POST alone, and another method changes nothing (C74)', async () => {
  for (const route of actionPaths) {
    const answer = await send('PUT', route.replace(/:\w+/g, '1').replace('*', 'nowhere'));
    expect(answer, route).toMatchObject({ status: 405, body: 'Method Not Allowed' });
  }
  const { status, $ } = await documentAfter('/line', {}, cookie);
  expect([status, textOf($('main h1 ~ p, .screen > p').first())]).toEqual([405, '405: Method Not Allowed']);
  const aircraftId = String(await makeAircraft(db, schoolId));
  const rows = () =>
    Promise.all([
      db.selectFrom('aircraft').select(['id', 'maintenance_since']).where('school_id', '=', schoolId).execute(),
      db.selectFrom('sessions').select(['id', 'revoked_at']).execute(),
    ]);
  const before = await rows();
  for (const method of ['PUT', 'DELETE']) {
    await send(method, '/airplanes?index', { intent: 'delete-aircraft', aircraftId });
    await send(method, '/airplanes?index', { intent: 'set-maintenance', aircraftId });
    await send(method, '/airplanes/add', { tailNumber: 'N405', make: 'Cessna', model: '172S', year: '2004' });
    await send(method, '/logout');
  }
  expect(await rows()).toEqual(before);
});
