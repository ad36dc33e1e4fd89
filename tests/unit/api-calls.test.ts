import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServerBuild } from '@remix-run/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { jsonResponse } from '#app/server/api/api-responses.server.ts';
import { setRoutes } from '#app/server/observability/route-patterns.server.ts';
import { withApiCalls } from '#app/server/remix-serve/api-calls.server.ts';

const answered = (by: string) => ({
  loader: ({ params }: { params: object }) => new Response(JSON.stringify([by, 'loader', params])),
  action: ({ params }: { params: object }) => new Response(JSON.stringify([by, 'action', params])),
});
const route = (path: string, module: object = {}) => ({ id: path, path, parentId: 'root', module });
const routes = {
  root: { id: 'root', path: '', module: {} },
  list: route('api/flights', answered('list')),
  open: route('api/flights/open', answered('open')),
  one: route('api/flights/:id', answered('one')),
  close: route('api/flights/:id/close', answered('close')),
  page: route('flights', answered('page')),
  whole: route('api/whole', {
    loader: () =>
      jsonResponse({ name: 'Zoë' }, 201, [
        ['x-one', '1'],
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ]),
  }),
} as unknown as ServerBuild['routes'];

const handle = withApiCalls({ routes } as ServerBuild, async (_request, response) => void response.end('"Remix"'), {
  createRemixRequest: ({ url = '', method = 'GET' }) => new Request(`http://localhost${url}`, { method }),
  sendRemixResponse: async (response, answer) => void response.end(await answer.text()),
});
const server = createServer((request, response) => void handle(request, response, () => response.end('"failed"')));

beforeAll(async () => {
  setRoutes(routes);
  await once(server.listen(0), 'listening');
});
afterAll(() => void server.close());

const ask = async (path: string, method = 'GET'): Promise<unknown> =>
  (await fetch(`http://localhost:${(server.address() as AddressInfo).port}${path}`, { method })).json();

it.each([
  ['/api/flights?limit=5', ['list', 'loader', {}]],
  ['/api/flights/open', ['open', 'loader', {}]],
  ['/api/flights/7', ['one', 'loader', { id: '7' }]],
  ['/api/flights/7/close', ['close', 'loader', { id: '7' }]],
])('GET %s is answered by its route, with its parameters (B848)', async (path, expected) => {
  expect(await ask(path)).toEqual(expected);
});

it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is an action, and OPTIONS is none (B848)', async (method) => {
  expect(await ask('/api/flights/7', method)).toEqual(['one', 'action', { id: '7' }]);
  expect(await ask('/api/flights/7', 'OPTIONS')).toEqual(['one', 'loader', { id: '7' }]);
});

it.each(['/flights', '/api/flights/', '/api/flights/a%20b', '/api//flights', '/api/flights.data', '/api/nothing'])(
  '%s is left to Remix (B848)',
  async (path) => {
    expect(await ask(path)).toBe('Remix');
  },
);

it('an answer that is a text is sent with its length in bytes, its status and each of its headers (B921)', async () => {
  const { status, headers, text } = await read('/api/whole');
  expect([status, text, headers.get('content-length')]).toEqual([201, '{"name":"Zoë"}', '15']);
  expect([headers.get('transfer-encoding'), headers.get('x-one'), headers.getSetCookie()]).toEqual([
    null,
    '1',
    ['a=1', 'b=2'],
  ]);
  expect(headers.get('content-type')).toBe('application/json');
});

async function read(path: string) {
  const answer = await fetch(`http://localhost:${(server.address() as AddressInfo).port}${path}`);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}
