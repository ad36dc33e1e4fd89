import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { withoutColumn } from '#tests/support/faults.ts';
import { sendRaw } from '#tests/support/raw.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import type { TestServer } from '#tests/support/server.ts';
import { sharedServer } from '#tests/support/worker.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const lineSchema = z.looseObject({ time: z.number(), path: z.string() });

/** Of Node's own warnings, and of the checks whether the server is ready. */
const OTHERS = /^\(node:\d+\)|^\(Use `node|"path":"\/(healthz|readyz)"/;

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
  await expect.poll(() => news().length, { timeout: 30_000 }).toBeGreaterThanOrEqual(requests.length);
  return news().map((line) => lineSchema.parse(JSON.parse(line)));
}

it('B407: a line of the request log is JSON that says when, from where, what and how it ended', async () => {
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

it('B407: files of the build and refused methods are in the request log, too', async () => {
  const lines = await linesAfter([
    'GET /favicon.svg HTTP/1.1\r\nHost: localhost',
    'TRACE / HTTP/1.1\r\nHost: localhost',
  ]);
  expect(lines.map(({ path }) => path)).toEqual(['/favicon.svg', '/']);
});

it.each([
  '/%0d%0a{"level":50,"msg":"forged"}',
  '/x"}%0A{"level":50,"msg":"forged"}',
  '/%E2%80%A8{"level":50,"msg":"forged"}',
  '/x","level":50,"msg":"forged',
])('B407: the path %s forges no line and no field of the log', async (path) => {
  const lines = await linesAfter([`GET ${path} HTTP/1.1\r\nHost: localhost`]);
  expect(lines).toHaveLength(1);
  expect(lines).toMatchObject([{ level: 30, msg: 'request' }]);
});

it('B407: an unexpected error is logged with its stack, and shown to nobody', async () => {
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
      .filter((line) => line.includes('"level":50'));
  await expect.poll(() => errors().length, { timeout: 30_000 }).toBeGreaterThan(0);
  expect(JSON.parse(errors()[0] ?? '')).toMatchObject({ err: { stack: expect.stringContaining('\n    at ') } });
});
