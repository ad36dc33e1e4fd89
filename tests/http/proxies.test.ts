import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { normalizeRequest } from '#app/server/remix-serve/normalize-request.server.ts';
import { action as logIn } from '#app/routes/api.login.ts';
import { testDatabase } from '#tests/support/database.ts';
import { call, jsonRequest } from '#tests/support/requests.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';

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

describe('the address a request came from', () => {
  it('is what the outermost trusted proxy saw, and the peer where it saw none, whatever is claimed (C37)', () => {
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
  });
});

it('what is said of a forwarded host and protocol counts only where a proxy is trusted (C27)', () => {
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
