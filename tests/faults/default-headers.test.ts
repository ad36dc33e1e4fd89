import { readdirSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
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

async function headersAt(path: string): Promise<Record<string, string>> {
  return Object.fromEntries((await fetch(server.url + path, { redirect: 'manual' })).headers);
}

/** Over a bare connection, because clients add headers of their own. */
async function expectRaw(status: number, request: string): Promise<void> {
  const answer = await sendRaw(server.url, `${request}\r\nConnection: close\r\n\r\n`);
  expect(answer.status).toBe(status);
  for (const [name, value] of Object.entries(ALWAYS)) {
    expect(answer.text.toLowerCase()).toContain(`${name}: ${value}`.toLowerCase());
  }
}

const FOR_EVER = 'public, max-age=31536000, immutable';

it('what no route of ours answers has every security header, its charset and its own caching (B440)', async () => {
  for (const [path, type, caching] of [
    ['/favicon.svg', 'image/svg+xml; charset=utf-8', FOR_EVER],
    ['/apple-touch-icon.png', 'image/png', FOR_EVER],
    [`/assets/${script}`, 'text/javascript; charset=utf-8', FOR_EVER],
    [`/assets/${sheet}`, 'text/css; charset=utf-8', FOR_EVER],
    ['/healthz', 'text/plain;charset=utf-8', 'no-store'],
    ['/readyz', 'text/plain;charset=utf-8', 'no-store'],
    ['/api/nowhere', 'text/plain; charset=utf-8', 'no-store'],
  ] as const) {
    const headers = await headersAt(path);
    const expected = { ...ALWAYS, 'content-security-policy': POLICY, 'cache-control': caching };
    expect(headers, path).toMatchObject(expected);
    expect(headers['content-type']?.toLowerCase(), path).toBe(type);
  }
  expect(await headersAt('/__manifest?p=/')).toMatchObject(ALWAYS);
});

it('pages, data and calls are not stored, framed or sniffed, and give others no referrer (B023, B270, B440, C28)', async () => {
  for (const path of [
    '/',
    '/login',
    '/airplanes',
    '/no/such/page',
    '/api/user',
    '/api/invitations',
    '/login.data',
    '/logout',
  ]) {
    const { 'referrer-policy': referrer, ...others } = ALWAYS;
    const headers = await headersAt(path);
    expect(headers, path).toMatchObject({ ...others, 'cache-control': 'no-store' });
    expect([referrer, 'no-referrer'], path).toContain(headers['referrer-policy']);
  }
});

it('an unchanged file has them, and so has a request without a Host, which Node itself refuses (B440)', async () => {
  const asItIs = await fetch(`${server.url}/favicon.svg`, { headers: { 'accept-encoding': 'identity' } });
  const etag = asItIs.headers.get('etag');
  await expectRaw(304, `GET /favicon.svg HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: ${etag}`);
  await expectRaw(400, 'GET / HTTP/1.1');
});

it('a document keeps its own policy, once (B440)', async () => {
  const policy = (await headersAt('/login'))['content-security-policy'];
  expect(policy).toMatch(/^default-src 'self'; script-src 'self' 'nonce-[^']+'/);
  expect(policy).not.toContain("default-src 'none'");
});
