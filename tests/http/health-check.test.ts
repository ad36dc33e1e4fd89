import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { refuseRequests } from '#app/server/remix-serve/refuse-requests.server.ts';

/** A server whose own listener names the path that it got. */
async function guardedServer(): Promise<string> {
  const server = createServer((request, response) => void response.end(`framework: ${request.url}`));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  refuseRequests(server, { APP_URL: 'http://localhost', REFUSES_FOREIGN_HOSTS: false, DATABASE_WAIT_MS: 5000 });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('a health check is answered without the framework (B847)', async () => {
  const url = await guardedServer();
  const answer = await fetch(`${url}/healthz`);
  expect([answer.status, await answer.text()]).toEqual([200, 'ok\n']);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-type': 'text/plain;charset=UTF-8',
    'content-length': '3',
  });
  const head = await fetch(`${url}/healthz`, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '3', '']);
});

it.each([
  ['GET', '/healthz/x'],
  ['GET', '/readyz'],
  ['POST', '/healthz'],
])('%s %s is left to the framework (B847)', async (method, path) => {
  const answer = await fetch((await guardedServer()) + path, { method });
  expect(await answer.text()).toBe(`framework: ${path}`);
});
