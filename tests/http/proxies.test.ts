import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { normalizeRequest } from '#app/server/remix-serve/normalize-request.server.ts';
import { action as logIn } from '#app/routes/api.login.ts';
import { makeSchool, makeUser, testDatabase } from '#tests/support/makers.ts';
import { call, getRequest, handleRequest, jsonRequest } from '#tests/support/ask.ts';
import { textOf } from '#tests/support/documents.ts';
import { load } from 'cheerio/slim';
import { assertSameOrigin } from '#app/server/same-origin.server.ts';

const { db } = await testDatabase();

const PEER = '10.0.0.1';

const SITE = { APP_URL: 'https://flights.example' };

/** The headers of a request that came from `PEER` with these, after the server has looked at them. */
function seenBehind(proxies: number, headers: Record<string, string>) {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: PEER });
  const request = new IncomingMessage(socket);
  Object.assign(request, { method: 'GET', url: '/login' });
  Object.assign(request.headers, { host: 'flights.example', ...headers });
  normalizeRequest(request, { TRUST_PROXY: proxies, ...SITE });
  return request.headers;
}

const addressBehind = (proxies: number, forwarded: string) =>
  seenBehind(proxies, { 'x-forwarded-for': forwarded })['x-client-address'];

it('the address of a request is what the outermost trusted proxy saw, else the peer, whatever is claimed (C27)', () => {
  for (const [proxies, forwarded, address] of [
    [0, '203.0.113.7', PEER],
    [1, '203.0.113.7', '203.0.113.7'],
    [1, '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    [1, '198.51.100.1,198.51.100.2 , 203.0.113.7', '203.0.113.7'],
    [2, '203.0.113.7, 192.0.2.10', '203.0.113.7'],
    [2, '198.51.100.1, 203.0.113.7, 192.0.2.10', '203.0.113.7'],
    [2, '192.0.2.10', PEER],
    [1, '2001:db8::7', '2001:db8::7'],
    [1, 'junk', PEER],
    [1, '203.0.113.7:4711', PEER],
    [1, '', PEER],
  ] as const)
    expect([proxies, forwarded, addressBehind(proxies, forwarded)]).toEqual([proxies, forwarded, address]);
  for (const proxies of [0, 1, 2])
    expect(seenBehind(proxies, { 'x-client-address': '198.51.100.9' })['x-client-address']).toBe(PEER);
  const forwarded = {
    'x-forwarded-for': '203.0.113.7',
    'x-forwarded-host': 'school.example',
    'x-forwarded-proto': 'https',
  };
  expect(Object.keys(seenBehind(0, forwarded)).sort()).toEqual(['host', 'x-client-address', 'x-request-id']);
  expect(seenBehind(1, forwarded)).toMatchObject(forwarded);
});

it('who forges another first hop at every guess is throttled all the same, behind one proxy and behind two (C37)', async () => {
  const user = await makeUser(db, await makeSchool(db));
  for (const [proxies, seen] of [
    [1, '203.0.113.7'],
    [2, '203.0.113.8, 192.0.2.10'],
  ] as const) {
    const guess = async (nth: number) => {
      const headers = seenBehind(proxies, { 'x-forwarded-for': `198.51.100.${nth}, ${seen}` });
      const address = { 'x-client-address': String(headers['x-client-address']) };
      const body = { username: user.username, password: 'wrong-password' };
      return (await logIn(call(jsonRequest('POST', '/api/login', body, '', address)))).status;
    };
    const statuses = await Promise.all(Array.from({ length: 11 }, (_, nth) => guess(nth)));
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  }
});

const OURS = 'http://localhost:3000';
const HOST = '192.168.1.5:3000';

function sends(headers: Record<string, string>): () => void {
  return () => assertSameOrigin(new Request(OURS, { method: 'POST', headers }));
}

it('a post from our own page or no browser is accepted, from elsewhere or a hidden origin refused (C27, B322)', () => {
  const own: [string, Record<string, string>][] = [
    ['a browser that says same-origin', { 'sec-fetch-site': 'same-origin' }],
    ['a browser whose user typed the address', { 'sec-fetch-site': 'none' }],
    ['a browser that says same-origin with the Origin null', { 'sec-fetch-site': 'same-origin', origin: 'null' }],
    ['the origin of APP_URL', { origin: OURS }],
    ['the host that it was sent to', { origin: `http://${HOST}`, host: HOST }],
    ['a client that is no browser', {}],
  ];
  for (const [from, headers] of own) expect(sends(headers), from).not.toThrow();
  const foreign: [string, Record<string, string>][] = [
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour of the same site', { 'sec-fetch-site': 'same-site' }],
    ['another site that claims our origin', { 'sec-fetch-site': 'cross-site', origin: OURS }],
    ['a client with a Sec-Fetch-Site no browser sends', { 'sec-fetch-site': 'SAME-ORIGIN' }],
    ['another origin', { origin: 'https://evil.example' }],
    ['our host with another port', { origin: 'http://localhost:3001' }],
    ['our host over another scheme', { origin: 'https://localhost:3000', host: 'localhost:3000' }],
    ['a host that begins with our name', { origin: 'http://localhost:3000.evil.example' }],
    ['a host whose user is our name', { origin: 'http://localhost:3000@evil.example' }],
    ['somebody at our host', { origin: `http://evil@${HOST}`, host: HOST }],
    ['somebody at the host of APP_URL', { origin: 'http://evil:secret@localhost:3000' }],
    ['our host with a path', { origin: `${OURS}/login` }],
    ['a hidden origin', { origin: 'null' }],
    ['an origin that is no URL', { origin: 'evil' }],
    ['an empty origin', { origin: '' }],
    [
      'another origin with a forwarded host to match',
      { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' },
    ],
    ['another host than the one it was sent to', { origin: 'http://evil.example', host: HOST }],
  ];
  for (const [from, headers] of foreign)
    expect(sends(headers), from).toThrow('This request came from another site and was refused.');
});

it('a refused post of another site says what to do, and nothing of roles (B1693)', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' };
  const post = new Request(getRequest('/airplanes', '', headers), { method: 'POST', body: new URLSearchParams() });
  const $ = load(await (await handleRequest(post)).text());
  const page = textOf($('main'));
  expect(page).toContain('403: This request came from another site and was refused.');
  expect(page).toContain('Open the page from here and send it again.');
  expect(page).not.toContain('role');
});
