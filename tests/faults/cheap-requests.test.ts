import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { MAX_FORM_FIELDS } from '#app/limits.ts';
import { sendRaw } from '#tests/support/raw.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeSchool, makeUser, PASSWORD } from '#tests/support/school.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import { nightly } from '#tests/support/takes-all.ts';

let server: TestServer;
let pilot: Member;
let cookie: string;
let version: string;
beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'error' });
  pilot = await makeUser(server.db, await makeSchool(server.db));
  cookie = await cookieOf(server.db, pilot);
  const html = await (await fetch(`${server.url}/login`)).text();
  version = /manifest-(\w{8})\.js/.exec(html)?.[1] ?? '';
  expect(version).not.toBe('');
});
afterAll(() => server.stop());

const deep = (segments: number) => '/a'.repeat(segments);
const manifest = (paths: string[]) =>
  `/__manifest?${new URLSearchParams([['version', version], ...paths.map((path) => ['p', path])])}`;
const CROSS_SITE = ['Sec-Fetch-Site: cross-site', 'Content-Length: 0'];
const form = (body: string) => [
  'Sec-Fetch-Site: same-origin',
  'Content-Type: application/x-www-form-urlencoded',
  `Content-Length: ${body.length}`,
  '',
  body,
];
/** As many as a form may have. */
const FIELDS = form(Array.from({ length: MAX_FORM_FIELDS }, (_, index) => `f${index}=${'<'.repeat(100)}`).join('&'));
const LONG_NAME = form(`username=${'%5B"'.repeat(3500)}`);
const TEXT = ['Content-Type: text/plain', 'Content-Length: 2', '', 'xx'];

function send(line: string, headers: string[] = []) {
  const [own = [], body = ''] = headers.includes('') ? [headers.slice(0, -2), headers.at(-1)] : [headers];
  return sendRaw(
    server.url,
    [`${line} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...own, '', body].join('\r\n'),
  );
}

describe('a small request of a stranger', () => {
  it.each([
    ['the routes of a path of 7.6 kB', () => `GET ${manifest([deep(3700)])}`, [], 414],
    ['the routes of a path of 3 kB', () => `GET ${manifest([deep(700)])}`, [], 302],
    ['the routes of 300 paths', () => `GET ${manifest(Array.from({ length: 300 }, (_, at) => `/${at}`))}`, [], 302],
    ['a post of 8 kB from another site', () => `POST ${deep(4000)}`, CROSS_SITE, 414],
    ['a post of 8 kB that is no form', () => `POST ${deep(4000)}`, TEXT, 414],
    ['a post of 1 kB from another site', () => `POST ${deep(510)}`, CROSS_SITE, 404],
    ['a post to the deepest path from another site', () => `POST ${deep(16)}`, CROSS_SITE, 403],
    ['a post to the deepest path that is no form', () => `POST ${deep(16)}`, TEXT, 415],
    ['a sign-in of many fields that comes back as data', () => 'POST /login.data', FIELDS, 400],
    ['a sign-in of long names that comes back as data', () => 'POST /login.data', LONG_NAME, 400],
  ])('%s is answered without a page being rendered (B410 B411 B412 B426)', async (_, line, headers, status) => {
    const answer = await send(line(), headers);
    expect([answer.status, answer.text.includes('<!DOCTYPE')]).toEqual([status, false]);
  });

  it('an address without a route has a page for who is signed in (B410)', async () => {
    expect((await send(`GET ${deep(16)}`, [`Cookie: ${cookie}`])).text).toContain('404 Page Not Found');
  });

  it.each([
    ['a path too long', `GET /${'a'.repeat(1024)}`, [], 414],
    ['a path too deep', `GET ${deep(17)}`, [], 404],
    ['an unknown method', 'TRACE /', [], 405],
    ['headers of more than 16 kB', 'GET /', [`X: ${'x'.repeat(17_000)}`], 431],
    ['no HTTP', 'GET', [], 400],
    ['another site at an unknown address', 'POST /nowhere', CROSS_SITE, 403],
  ])('the refusal of %s has words and all security headers (B410, B412)', async (_, line, headers, status) => {
    const answer = await send(line, headers);
    const page = (await send('GET /api/user')).text;
    expect(answer.status).toBe(status);
    const head = (text: string) => text.slice(0, text.indexOf('\r\n\r\n')).toLowerCase();
    const ours = head(page)
      .split('\r\n')
      .filter((header) => /^(x-(?!request-id)|referrer|cross-origin|permissions|cache|content-type)/.test(header));
    expect(ours.length).toBeGreaterThan(6);
    for (const header of ours) expect(head(answer.text)).toContain(header);
    expect(answer.text.slice(head(answer.text).length)).toMatch(/^\r\n\r\n(\w+\r\n)?[A-Z][\w ,.]+\.(\r\n0\r\n\r\n)?$/);
  });
});

nightly(
  'refused sign-ins are refused before the framework in the end, and a known device is served (B422)',
  async () => {
    const signIn = (username: string, password: string, cookies = '') =>
      fetch(`${server.url}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: cookies },
        body: JSON.stringify({ username, password }),
      });
    const device = (await signIn(pilot.username, PASSWORD)).headers.getSetCookie().map((each) => each.split(';')[0]);
    const statuses: number[] = [];
    // One more than the server counts to: it counts an answer once it is sent, perhaps after the next request has come.
    for (let count = 0; count < 31; count += 1) statuses.push((await signIn('nobody', 'wrong')).status);
    expect(statuses).toEqual([...Array<number>(10).fill(401), ...Array<number>(21).fill(429)]);
    const refused = await signIn('another name', 'wrong');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
    expect(refused.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await signIn(pilot.username, PASSWORD, device.join('; '))).status).toBe(200);
  },
);
