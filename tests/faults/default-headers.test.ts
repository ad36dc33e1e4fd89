import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { sendRaw } from '#tests/support/raw.ts';
import type { TestServer } from '#tests/support/server.ts';
import { sharedServer } from '#tests/support/worker.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const ALWAYS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const [script = '', sheet = ''] = ['.js', '.css'].map((end) =>
  readdirSync('build/client/assets').find((name) => name.endsWith(end)),
);

const answerTo = (path: string) => fetch(server.url + path, { redirect: 'manual' });

async function headersAt(path: string): Promise<Record<string, string>> {
  return Object.fromEntries((await answerTo(path)).headers);
}

/** Over a bare connection, because clients add headers of their own. */
async function expectRaw(status: number, request: string): Promise<void> {
  const answer = await sendRaw(server.url, `${request}\r\nConnection: close\r\n\r\n`);
  expect(answer.status).toBe(status);
  for (const [name, value] of Object.entries(ALWAYS)) {
    expect(answer.text.toLowerCase()).toContain(`${name}: ${value}`.toLowerCase());
  }
}

describe('what no route of ours answers', () => {
  it.each([
    ['/favicon.svg', 'image/svg+xml; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['/apple-touch-icon.png', 'image/png', 'public, max-age=31536000, immutable'],
    [`/assets/${script}`, 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
    [`/assets/${sheet}`, 'text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['/healthz', 'text/plain;charset=utf-8', 'no-store'],
    ['/readyz', 'text/plain;charset=utf-8', 'no-store'],
    ['/api/nowhere', 'text/plain; charset=utf-8', 'no-store'],
  ])('%s has every security header, its charset and its own caching (B440)', async (path, type, caching) => {
    const headers = await headersAt(path);
    expect(headers).toMatchObject({ ...ALWAYS, 'content-security-policy': POLICY, 'cache-control': caching });
    expect(headers['content-type']?.toLowerCase()).toBe(type);
  });

  it('an answer that a file is unchanged has them, too (B440)', async () => {
    const asItIs = await fetch(`${server.url}/favicon.svg`, { headers: { 'accept-encoding': 'identity' } });
    const etag = asItIs.headers.get('etag');
    await expectRaw(304, `GET /favicon.svg HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: ${etag}`);
  });

  it('what Remix answers for itself has them, too (B440)', async () => {
    expect(await headersAt('/__manifest?p=/')).toMatchObject(ALWAYS);
  });

  it('a request without a Host, which Node itself refuses, gets them (B440)', async () => {
    await expectRaw(400, 'GET / HTTP/1.1');
  });

  it('a document keeps its own policy, once (B440)', async () => {
    const policy = (await headersAt('/login'))['content-security-policy'];
    expect(policy).toMatch(/^default-src 'self'; script-src 'self' 'nonce-[^']+'/);
    expect(policy).not.toContain("default-src 'none'");
  });
});
