import { beforeAll, describe, expect, it } from 'vitest';
import { makeSchool, makeUser, PASSWORD } from '#tests/support/school.ts';
import type { TestServer } from '#tests/support/server.ts';
import { sharedServer } from '#tests/support/worker.ts';

let server: TestServer;
let username: string;

beforeAll(async () => {
  server = await sharedServer();
  ({ username } = await makeUser(server.db, await makeSchool(server.db)));
});

function post(path: string, headers: Record<string, string>, body: BodyInit): Promise<Response> {
  return fetch(server.url + path, { method: 'POST', headers, body, redirect: 'manual' });
}

function signIn(headers: Record<string, string>): Promise<Response> {
  return post('/login', headers, new URLSearchParams({ username, password: PASSWORD }));
}

describe('the origin of a form, as the served app sees it', () => {
  it('a form of our own page is taken (C27, B056)', async () => {
    expect((await signIn({ origin: server.url })).status).toBe(303);
  });

  it('a form is taken whose browser hides its origin, but says that it is the same (C27)', async () => {
    expect((await signIn({ origin: 'null', 'sec-fetch-site': 'same-origin' })).status).toBe(303);
  });

  it.each(['https://evil.example', 'null', 'not an origin', 'http://localhost.evil.example'])(
    'a form from the origin %s is refused with 403 in words (B322)',
    async (origin) => {
      for (const path of ['/login', '/logout', '/nowhere']) {
        const answer = await post(path, { origin }, new URLSearchParams({ username, password: PASSWORD }));
        expect(answer.status, path).toBe(403);
        expect(await answer.text(), path).toContain('This request came from another site and was refused.');
        expect(answer.headers.getSetCookie().join(), path).not.toContain('flightline=');
      }
    },
  );

  it('a forwarded host makes no foreign origin ours (B322, C27)', async () => {
    const headers = { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' };
    expect((await signIn(headers)).status).toBe(403);
  });

  it('a form from a foreign origin is refused at the address that client navigation posts to, too (B322)', async () => {
    const body = new URLSearchParams({ username, password: PASSWORD });
    const answer = await post('/login.data', { origin: 'https://evil.example' }, body);
    expect(answer.headers.getSetCookie().join()).not.toContain('flightline=');
    expect(await answer.text()).toContain('This request came from another site and was refused.');
  });
});

describe('the headers of every answer', () => {
  it.each(['/', '/login', '/airplanes', '/no/such/page', '/api/user', '/api/nowhere', '/login.data', '/logout'])(
    'the answer of %s is not stored, framed or sniffed, and gives no referrer to others (C28, B023)',
    async (path) => {
      const { headers } = await fetch(server.url + path, { redirect: 'manual' });
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toMatch(/^(same-origin|no-referrer)$/);
    },
  );

  it('the scripts of a document carry the nonce of its content security policy, another one each time', async () => {
    const [first, second] = await Promise.all([policyOf('/login'), policyOf('/login')]);
    expect(first.nonce).not.toBe(second.nonce);
    const scripts = [...first.html.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
    expect(scripts.length).toBeGreaterThan(0);
    for (const tag of scripts) expect(tag).toContain(`nonce="${first.nonce}"`);
    expect(first.policy).not.toContain('unsafe');
    expect(first.html).not.toMatch(/\sstyle=|\son\w+=/);
  });
});

async function policyOf(path: string) {
  const answer = await fetch(server.url + path);
  const policy = answer.headers.get('content-security-policy') ?? '';
  return { policy, nonce: /'nonce-([^']+)'/.exec(policy)?.[1], html: await answer.text() };
}
