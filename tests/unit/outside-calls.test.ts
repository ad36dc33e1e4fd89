import { createServer, get } from 'node:http';
import { once } from 'node:events';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { outside } from '#tests/support/outside-calls.ts';

// What msw says of a call is expected here.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
afterEach(() => void vi.restoreAllMocks());

it.fails('a test fails that fetches from another machine, even where its code survives that', async () => {
  await fetch('https://flightline.example/').catch(() => {});
});

it.fails('a test fails that asks another machine by node:http, even where its code survives that', async () => {
  await once(get('http://192.0.2.1/'), 'error').catch(() => {});
});

it('a test may say what another machine answers', async () => {
  outside.use(http.post('https://flightline.example/hook', () => HttpResponse.text('taken')));
  const answer = await fetch('https://flightline.example/hook', { method: 'POST', body: 'news' });
  expect(await answer.text()).toBe('taken');
});

it('a test may call this machine', async () => {
  const server = createServer((_request, response) => response.end('here')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const answers = ['127.0.0.1', 'localhost'].map(async (host) =>
    (await fetch(`http://${host}:${address.port}/`)).text(),
  );
  expect(await Promise.all(answers)).toEqual(['here', 'here']);
  server.close();
});
