import { beforeAll, expect, it } from 'vitest';
import { sendRaw } from '#tests/support/raw.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import type { TestServer } from '#tests/support/server.ts';
import { sharedServer } from '#tests/support/worker.ts';

let server: TestServer;
let cookie: string;
beforeAll(async () => {
  server = await sharedServer();
  cookie = await cookieOf(server.db, await makeUser(server.db, await makeSchool(server.db), 'administrator'));
});

/** As an administrator's browser would ask, but for the path, which no client may normalize. */
function get(path: string) {
  const lines = [`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', `Cookie: ${cookie}`];
  return sendRaw(server.url, `${lines.join('\r\n')}\r\n\r\n`);
}

it.each([
  '/.git/HEAD',
  '/.env',
  '/.env.example',
  '/.data/secret',
  '/package.json',
  '/package-lock.json',
  '/app/root.tsx',
  '/db/seed.ts',
  '/docs/spec.md',
  '/build/server/index.js',
  '/server/index.js',
  '/node_modules/pg/package.json',
  '/../package.json',
  '/%2e%2e/package.json',
  '/assets/../../../package.json',
  '/assets/..%2f..%2f..%2fpackage.json',
  '/assets/....//....//package.json',
])('the file behind %s is not served, to administrators either', async (path) => {
  const { status, text } = await get(path);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(text).not.toMatch(/ref: refs|"dependencies"|SESSION_SECRET=|import .* from '/);
});

it.each(['/assets/', '/build/', '/public/'])('the folder behind %s is not listed', async (path) => {
  const { status, text } = await get(path);
  expect(status).toBe(404);
  expect(text).toContain('<h1 tabindex="-1">404 Page Not Found</h1>');
});

it('the scripts of the build come without the source they were made of', async () => {
  const [script] = /\/assets\/[\w.-]+\.js/.exec((await get('/airplanes')).text) ?? [];
  const { status, text } = await get(script ?? '');
  expect(status).toBe(200);
  expect(text).not.toContain('sourceMappingURL');
  expect((await get(`${script}.map`)).status).toBe(404);
});

it('the methods TRACE and TRACK send nothing of the request back', async () => {
  for (const method of ['TRACE', 'TRACK']) {
    const lines = [`${method} /login HTTP/1.1`, 'Host: localhost', 'Connection: close', 'X-Marker: sent-by-the-client'];
    const { status, text } = await sendRaw(server.url, `${lines.join('\r\n')}\r\n\r\n`);
    expect(status, method).toBeGreaterThanOrEqual(400);
    expect(text, method).not.toContain('sent-by-the-client');
  }
});

it('the served app is a production build, and names neither its framework nor a version in its headers', async () => {
  const { text } = await get('/airplanes');
  const [headers] = text.split('\r\n\r\n', 1);
  expect(text).not.toMatch(/react-refresh|@vite\/client|__remixHmr|LiveReload/i);
  expect(headers).not.toMatch(/^(x-powered-by|server|via):/im);
});
