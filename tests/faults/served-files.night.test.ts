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

it('sources, settings and packages are not served, nor folders listed, to administrators either', async () => {
  const files =
    '/.git/HEAD /.env /.env.example /.data/secret /package.json /package-lock.json /app/root.tsx /db/seed.ts /docs/spec.md ' +
    '/build/server/index.js /server/index.js /node_modules/pg/package.json /../package.json /%2e%2e/package.json ' +
    '/assets/../../../package.json /assets/..%2f..%2f..%2fpackage.json /assets/....//....//package.json';
  for (const path of files.split(' ')) {
    const { status, text } = await get(path);
    expect(Math.floor(status / 100), path).toBe(4);
    expect(text, path).not.toMatch(/ref: refs|"dependencies"|SESSION_SECRET=|import .* from '/);
  }
  for (const path of ['/assets/', '/build/', '/public/']) {
    const { status, text } = await get(path);
    expect([path, status]).toEqual([path, 404]);
    expect(text).toContain('<h1 tabindex="-1">404 Page Not Found</h1>');
  }
});

it('the scripts of the build come without the source they were made of', async () => {
  const [script] = /\/assets\/[\w.-]+\.js/.exec((await get('/airplanes')).text) ?? [];
  const { status, text } = await get(script ?? '');
  expect(status).toBe(200);
  expect(text).not.toContain('sourceMappingURL');
  expect((await get(`${script}.map`)).status).toBe(404);
});

it('the served app is a production build, and names neither its framework nor a version in its headers', async () => {
  const { text } = await get('/airplanes');
  const [headers] = text.split('\r\n\r\n', 1);
  expect(text).not.toMatch(/react-refresh|@vite\/client|__remixHmr|LiveReload/i);
  expect(headers).not.toMatch(/^(x-powered-by|server|via):/im);
});
