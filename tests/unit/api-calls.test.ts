import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { LoaderFunctionArgs, ServerBuild } from '@remix-run/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { jsonResponse } from '#app/server/api/api-responses.server.ts';
import { setRoutes } from '#app/server/observability/route-patterns.server.ts';
import { createHandlerFinder } from '#app/server/remix-serve/answer.server.ts';
import { sendResponse, toRequest } from '#app/server/remix-serve/exchange.server.ts';
import { listen } from '#tests/support/listen.ts';

/** Remix takes 'index' out of the address that it hands on. */
const madeBy = ({ url }: Request) => (url.includes('index') ? 'directly' : 'by Remix');
const answering = (by: string) => (context: LoaderFunctionArgs) =>
  Response.json([madeBy(context.request), by, context.params]);
const answered = (by: string) => ({ loader: answering(`loader of ${by}`), action: answering(`action of ${by}`) });
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

const build = {
  mode: 'production',
  future: { v3_singleFetch: true },
  assets: { version: '1', entry: { module: '', imports: [] }, url: '', routes: {} },
  entry: { module: { default: () => Response.json(['by Remix']), handleError: () => {} } },
  routes,
} as unknown as ServerBuild;

const findHandler = createHandlerFinder(build);
const server = createServer((incoming, response) => void answer(incoming, response));
let address: string;

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  await sendResponse(await findHandler(incoming)(toRequest(incoming, response, 'http://localhost')), response);
}

beforeAll(async () => {
  setRoutes(routes);
  address = await listen(server);
});
afterAll(() => void server.close());

const ask = async (path: string, method = 'GET') => (await fetch(`${address}${path}?index`, { method })).text();

it('a call is answered by its route with its parameters, and what is spelt otherwise left to Remix (B848)', async () => {
  const calls: (readonly [path: string, method: string, by: string, params: object])[] = [
    ['/api/flights', 'GET', 'loader of list', {}],
    ['/api/flights/open', 'GET', 'loader of open', {}],
    ['/api/flights/7/close', 'GET', 'loader of close', { id: '7' }],
    ...['GET', 'OPTIONS'].map((method) => ['/api/flights/7', method, 'loader of one', { id: '7' }] as const),
    ...['POST', 'PUT', 'PATCH', 'DELETE'].map(
      (method) => ['/api/flights/7', method, 'action of one', { id: '7' }] as const,
    ),
  ];
  for (const [path, method, by, params] of calls)
    expect(JSON.parse(await ask(path, method)), `${method} ${path}`).toEqual(['directly', by, params]);
  const others = ['/flights', '/api/flights/', '/api/flights/a%20b', '/api//flights', '/api/flights.data', '/api/none'];
  for (const path of others) expect(await ask(path), path).not.toContain('directly');
});

it('an answer that is a text is sent with its length in bytes, its status and each of its headers (B921)', async () => {
  const answer = await fetch(`${address}/api/whole`);
  const { status, headers } = answer;
  expect([status, await answer.text(), headers.get('content-length')]).toEqual([201, '{"name":"Zoë"}', '15']);
  expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  const read = ['transfer-encoding', 'x-one', 'content-type'].map((name) => headers.get(name));
  expect(read).toEqual([null, '1', 'application/json']);
});
