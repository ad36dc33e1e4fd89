import { describe, expect, it } from 'vitest';
import { type Answer, answerOf } from '#tests/support/answers.ts';
import { testDatabase } from '#tests/support/database.ts';
import { call } from '#tests/support/requests.ts';
import { pathWith, type Route, ROUTES } from '#tests/support/routes.ts';

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

await testDatabase();

const ORIGIN = 'http://localhost:3000';
const PARAMS = { id: '1', key: '1', '*': 'no/such/page' };
const loaded = await Promise.all(ROUTES.map(async ({ load, ...route }) => ({ ...route, ...(await load()) })));
const loaders = loaded.flatMap(({ loader, ...route }) => (loader ? [{ ...route, loader }] : []));
const actions = loaded.flatMap(({ action, ...route }) => (action ? [{ ...route, action }] : []));

describe('every route, signed out', () => {
  it('the route manifest has the loaders and actions of the product (B016)', () => {
    expect(loaders.length).toBeGreaterThan(20);
    expect(actions.length).toBeGreaterThan(15);
  });

  it('a GET asks to sign in, or is public (B016, B285, C29)', async () => {
    for (const { path, kind, loader } of loaders) {
      const url = pathWith(path, '1');
      const answer = await answerOf(loader(call(new Request(ORIGIN + url), PARAMS)));
      const expected = PUBLIC_LOADERS[path];
      if (expected) expected(answer);
      else if (kind === 'resource') expectUnauthorizedOrNoSuchMethod(answer, path);
      else expectSignIn(answer, url, 302);
    }
  });

  it('a write asks to sign in, or is public (B016, B285, C29)', async () => {
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
  });

  it('a write from another site is refused (B322, C27)', async () => {
    for (const { path, kind, action } of actions) {
      const statuses = new Set<number>();
      for (const request of writesTo({ path, kind }, { origin: 'https://evil.example' })) {
        const answer = await answerOf(action(call(request, PARAMS)));
        statuses.add(answer.status);
        expect(answer.headers.getSetCookie(), path).toEqual([]);
      }
      statuses.delete(405);
      // A call that only reads has no method that writes.
      if (kind === 'page' || statuses.size > 0) expect([...statuses], path).toEqual([403]);
    }
  });
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
