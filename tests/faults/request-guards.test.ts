import { beforeAll, expect, it } from 'vitest';
import { makeSchool, makeUser, PASSWORD } from '#tests/support/school.ts';
import type { TestServer } from '#tests/support/server.ts';
import { sharedServer } from '#tests/support/worker.ts';

let server: TestServer;
let username: string;
beforeAll(async () => {
  server = await sharedServer();
  ({ username } = await makeUser(server.db, await makeSchool(server.db)));
});

function post(path: string, headers: Record<string, string>): Promise<Response> {
  const body = new URLSearchParams({ username, password: PASSWORD });
  return fetch(server.url + path, { method: 'POST', headers, body, redirect: 'manual' });
}

it('a form of our own page is taken, also where the browser hides its origin but says it is the same (C27, B056)', async () => {
  const ours: Record<string, string>[] = [{ origin: server.url }, { origin: 'null', 'sec-fetch-site': 'same-origin' }];
  for (const headers of ours) expect((await post('/login', headers)).status).toBe(303);
});

it('a form of another origin is refused in words, as a page or as data, whatever host was forwarded (B322, C27)', async () => {
  for (const origin of ['https://evil.example', 'null', 'not an origin', 'http://localhost.evil.example'])
    for (const path of ['/login', '/logout', '/nowhere', '/login.data'])
      for (const forwarded of ['', 'evil.example']) {
        const answer = await post(path, { origin, ...(forwarded && { 'x-forwarded-host': forwarded }) });
        if (path !== '/login.data') expect(answer.status, path).toBe(403);
        expect(await answer.text(), path).toContain('This request came from another site and was refused.');
        expect(answer.headers.getSetCookie().join(), path).not.toContain('flightline=');
      }
});

it('the scripts of a document carry the nonce of its content security policy, another one each time', async () => {
  const [first, second] = await Promise.all([policyOf('/login'), policyOf('/login')]);
  expect(first.nonce).not.toBe(second.nonce);
  const scripts = [...first.html.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
  expect(scripts.length).toBeGreaterThan(0);
  for (const tag of scripts) expect(tag).toContain(`nonce="${first.nonce}"`);
  expect(first.policy).not.toContain('unsafe');
  expect(first.html).not.toMatch(/\sstyle=|\son\w+=/);
});

async function policyOf(path: string) {
  const answer = await fetch(server.url + path);
  const policy = answer.headers.get('content-security-policy') ?? '';
  return { policy, nonce: /'nonce-([^']+)'/.exec(policy)?.[1], html: await answer.text() };
}
