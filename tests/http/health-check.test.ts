import { expect, it, onTestFinished } from 'vitest';
import { createFront } from '#app/server/remix-serve/front.server.ts';
import { frontSettings, listen } from '#tests/support/listen.ts';

/** A front before a framework that names the path that it got. */
async function guardedServer(): Promise<string> {
  const server = createFront(frontSettings, {
    answer: (request, response) => response.end(`framework: ${request.url}`),
  });
  onTestFinished(() => void server.close());
  return listen(server);
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
