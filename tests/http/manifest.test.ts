import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { describe, expect, it } from 'vitest';
import { type Answer, answerOf } from '#tests/support/answers.ts';
import { testDatabase } from '#tests/support/database.ts';
import { call } from '#tests/support/requests.ts';

/** Every route file of the product: one that is added stands here by itself. */
const modules = import.meta.glob<RouteModule>('../../app/routes/*.{ts,tsx}', { eager: true });

interface RouteModule {
  loader?: (args: LoaderFunctionArgs) => unknown;
  action?: (args: ActionFunctionArgs) => unknown;
  /** A screen's component; a call has none. */
  default?: unknown;
}

/** What a visitor may see without signing in (spec §2, C33), and how it answers. */
const PUBLIC_LOADERS: Record<string, (answer: Answer) => void> = {
  '/': ({ status, body }) => expect({ status, body }).toEqual({ status: 200, body: { dashboard: null } }),
  '/login': ({ status }) => expect(status).toBe(200),
  '/logout': ({ status, headers }) => expect([status, headers.get('location')]).toEqual([302, '/']),
  '/register': ({ status, headers }) => expect([status, headers.get('location')]).toEqual([303, '/auth']),
  '/reset-password': ({ status, headers }) => expect([status, headers.get('location')]).toEqual([303, '/auth']),
  '/healthz': ({ status }) => expect(status).toBe(200),
  '/readyz': ({ status }) => expect(status).toBe(200),
  '/api/invitations/1': ({ status }) => expect(status).toBe(404),
};

/** What a visitor may send without signing in: refused for its contents, or done. */
const PUBLIC_WRITES: Record<string, number[]> = {
  '/login': [400],
  '/logout': [303],
  '/register': [303, 400],
  '/reset-password': [303, 400],
  '/api/login': [400],
  '/api/logout': [200],
};

await testDatabase();

const ORIGIN = 'http://localhost:3000';
const PARAMS = { id: '1', key: '1', token: '1', '*': 'no/such/place' };
const routes = Object.entries(modules).map(([file, module]) => ({
  ...module,
  path: pathOf(file),
  isCall: module.default === undefined,
}));
const loaders = routes.flatMap(({ loader, ...route }) => (loader ? [{ ...route, loader }] : []));
const actions = routes.flatMap(({ action, ...route }) => (action ? [{ ...route, action }] : []));

describe('every loader, for a visitor who is not signed in', () => {
  it('B016 finds the routes there are', () => {
    expect(loaders.length).toBeGreaterThan(20);
    expect(actions.length).toBeGreaterThan(15);
  });

  it.each(loaders)('B016 B285 C29 $path', async ({ path, isCall, loader }) => {
    const answer = await answerOf(loader(call(new Request(ORIGIN + path), PARAMS)));
    const expected = PUBLIC_LOADERS[path];
    if (expected) expected(answer);
    else if (isCall) expectUnauthorizedOrNoSuchMethod(answer);
    else expectSignIn(answer, path);
  });
});

describe('every action, for a visitor who is not signed in', () => {
  it.each(actions)('B016 B285 C29 $path', async ({ path, isCall, action }) => {
    for (const request of writes(path, isCall, { origin: ORIGIN })) {
      const answer = await answerOf(action(call(request, PARAMS)));
      const expected = PUBLIC_WRITES[path];
      if (path === '/api/invitations' && request.method === 'POST') expectMessage(answer);
      else if (expected) expect(isCall ? [...expected, 405] : expected, request.method).toContain(answer.status);
      else if (isCall) expectUnauthorizedOrNoSuchMethod(answer);
      else expectSignIn(answer, path, 303);
    }
  });
});

describe('every action, for a post from another site', () => {
  it.each(actions)('B322 C27 $path', async ({ path, isCall, action }) => {
    const statuses = new Set<number>();
    for (const request of writes(path, isCall, { origin: 'https://evil.example' })) {
      const answer = await answerOf(action(call(request, PARAMS)));
      statuses.add(answer.status);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    statuses.delete(405);
    // A call that only reads has no method that writes.
    if (!isCall || statuses.size > 0) expect([...statuses]).toEqual([403]);
  });
});

/** 'api.flight-logs.$id.complete.ts' answers '/api/flight-logs/1/complete'. */
function pathOf(file: string): string {
  const name = file.replace(/^.*\//, '').replace(/\.tsx?$/, '');
  const segments = name
    .split(/\.(?![^[]*\])/)
    .filter((segment) => !segment.startsWith('_'))
    .map((segment) =>
      segment === '$' ? PARAMS['*'] : segment.startsWith('$') ? '1' : segment.replace(/[[\]]|_$/g, ''),
    );
  return `/${segments.join('/')}`;
}

function writes(path: string, isCall: boolean, headers: Record<string, string>): Request[] {
  if (!isCall) {
    return [new Request(ORIGIN + path, { method: 'POST', headers, body: new URLSearchParams({ intent: 'x' }) })];
  }
  return ['POST', 'PUT', 'DELETE'].map(
    (method) =>
      new Request(ORIGIN + path, { method, headers: { ...headers, 'content-type': 'application/json' }, body: '{}' }),
  );
}

function expectSignIn({ status, headers }: Answer, path: string, expected = 302): void {
  expect([status, headers.get('location')]).toEqual([expected, `/login?${new URLSearchParams({ to: path })}`]);
}

/** The one call whose failures are JSON (B269). */
function expectMessage({ status, body }: Answer): void {
  expect([status, JSON.parse(String(body))]).toEqual([401, { message: 'Unauthorized' }]);
}

function expectUnauthorizedOrNoSuchMethod({ status, body }: Answer): void {
  expect([401, 405]).toContain(status);
  expect(body).toBe(status === 401 ? 'Unauthorized' : 'Method Not Allowed');
}
