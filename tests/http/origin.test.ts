import { load } from 'cheerio/slim';
import { describe, expect, it } from 'vitest';
import { assertSameOrigin } from '#app/server/same-origin.server.ts';
import { handleRequest } from '#tests/support/app-handler.ts';
import { testDatabase } from '#tests/support/database.ts';
import { textOf } from '#tests/support/documents.ts';
import { getRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeSchool, makeUser, PASSWORD } from '#tests/support/school.ts';

const { db } = await testDatabase();
const user = await makeUser(db, await makeSchool(db));

const OURS = 'http://localhost:3000';
const HOST = '192.168.1.5:3000';

function sends(headers: Record<string, string>): () => void {
  return () => assertSameOrigin(new Request(OURS, { method: 'POST', headers }));
}

describe('the origin of a post (C27)', () => {
  it('a post from our own page, by any sign of it, or from a client that is no browser is accepted (C27)', () => {
    const own: [string, Record<string, string>][] = [
      ['a browser that says same-origin', { 'sec-fetch-site': 'same-origin' }],
      ['a browser whose user typed the address', { 'sec-fetch-site': 'none' }],
      ['a browser that says same-origin with the Origin null', { 'sec-fetch-site': 'same-origin', origin: 'null' }],
      ['the origin of APP_URL', { origin: OURS }],
      ['the host that it was sent to', { origin: `http://${HOST}`, host: HOST }],
      ['a client that is no browser', {}],
    ];
    for (const [from, headers] of own) expect(sends(headers), from).not.toThrow();
  });

  it('a post from another site, a neighbour, another port or scheme, or a hidden origin is refused (C27, B322)', () => {
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
});

describe('posts from another site (B322)', () => {
  it('the sign-in form from another site is refused before its body is read, and nobody is signed in (B322)', async () => {
    const headers = { origin: 'https://evil.example' };
    const body = new URLSearchParams({ username: user.username, password: PASSWORD });
    const post = new Request(`${OURS}/login`, { method: 'POST', headers, body });
    const answer = await answerTo(post);
    const words = 'This request came from another site and was refused.';
    expect(answer).toMatchObject({ status: 403, body: words });
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(post.bodyUsed).toBe(false);
  });

  it('says what to do, and nothing of roles (B1693)', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const post = new Request(getRequest('/airplanes', '', headers), { method: 'POST', body: new URLSearchParams() });
    const $ = load(await (await handleRequest(post)).text());
    const page = textOf($('main'));
    expect(page).toContain('403: This request came from another site and was refused.');
    expect(page).toContain('Open the page from here and send it again.');
    expect(page).not.toContain('role');
  });
});
