import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { ServerBuild } from '@remix-run/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { jsonResponse } from '#app/server/api/api-responses.server.ts';
import { setRoutes } from '#app/server/observability/route-patterns.server.ts';
import { answerCall, callsOf } from '#app/server/remix-serve/answer.server.ts';
import { sendResponse, toRequest } from '#app/server/remix-serve/exchange.server.ts';
import { listen } from '#tests/support/listen.ts';

const answered = (by: string) => ({
  loader: ({ params }: { params: object }) => new Response(JSON.stringify([by, 'loader', params])),
  action: ({ params }: { params: object }) => new Response(JSON.stringify([by, 'action', params])),
});
const route = (path: string, module: object = {}) => ({ id: path, path, parentId: 'root', module });
const WHOLE: [string, string][] = [
  ['x-one', '1'],
  ['set-cookie', 'a=1'],
  ['set-cookie', 'b=2'],
];
const routes = {
  root: { id: 'root', path: '', module: {} },
  list: route('api/flights', answered('list')),
  open: route('api/flights/open', answered('open')),
  one: route('api/flights/:id', answered('one')),
  close: route('api/flights/:id/close', answered('close')),
  page: route('flights', answered('page')),
  whole: route('api/whole', { loader: () => jsonResponse({ name: 'Zoë' }, 201, WHOLE) }),
} as unknown as ServerBuild['routes'];

const findCall = callsOf(routes);
const server = createServer((incoming, response) => void answer(incoming, response));
let address: string;

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const call = findCall(incoming);
  if (!call) return void response.end('"Remix"');
  await sendResponse(await answerCall(call, toRequest(incoming, response, 'http://localhost')), response);
}

beforeAll(async () => {
  setRoutes(routes);
  address = await listen(server);
});
afterAll(() => void server.close());

const ask = async (path: string, method = 'GET'): Promise<unknown> => (await fetch(address + path, { method })).json();

it('a call is answered by its route with its parameters, and what is spelt otherwise left to Remix (B848)', async () => {
  const calls = {
    '/api/flights?limit=5': ['list', 'loader', {}],
    '/api/flights/open': ['open', 'loader', {}],
    '/api/flights/7': ['one', 'loader', { id: '7' }],
    '/api/flights/7/close': ['close', 'loader', { id: '7' }],
  };
  for (const [path, answer] of Object.entries(calls)) expect(await ask(path)).toEqual(answer);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    expect(await ask('/api/flights/7', method), method).toEqual(['one', 'action', { id: '7' }]);
  expect(await ask('/api/flights/7', 'OPTIONS')).toEqual(['one', 'loader', { id: '7' }]);
  const others = [
    '/flights',
    '/api/flights/',
    '/api/flights/a%20b',
    '/api//flights',
    '/api/flights.data',
    '/api/nothing',
  ];
  for (const path of others) expect(await ask(path), path).toBe('Remix');
});

it('an answer that is a text is sent with its length in bytes, its status and each of its headers (B921)', async () => {
  const answer = await fetch(`${address}/api/whole`);
  const { status, headers } = answer;
  expect([status, await answer.text(), headers.get('content-length')]).toEqual([201, '{"name":"Zoë"}', '15']);
  expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  const read = ['transfer-encoding', 'x-one', 'content-type'].map((name) => headers.get(name));
  expect(read).toEqual([null, '1', 'application/json']);
});
