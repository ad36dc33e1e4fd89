import type { ServerResponse } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { createFront } from '#app/server/remix-serve/front.server.ts';
import { frontSettings, listen } from '#tests/support/listen.ts';
import { sendRaw } from '#tests/support/raw.ts';

const DEFAULTS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** The headers of what somebody who knows nothing of them answers behind the front, over a connection. */
async function headersOf(answer: (response: ServerResponse) => void): Promise<Record<string, string>> {
  const server = createFront(frontSettings, { answer: (_request, response) => answer(response) });
  onTestFinished(() => void server.close());
  const { text } = await sendRaw(
    await listen(server),
    'GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
  );
  const [, ...lines] = (text.split('\r\n\r\n')[0] ?? '').split('\r\n');
  return Object.fromEntries(
    lines.map((line) => line.split(': ')).map(([name = '', value]) => [name.toLowerCase(), value ?? '']),
  );
}

it('a response without headers of its own has every one of the table (B440)', async () => {
  expect(await headersOf((response) => response.end('ok'))).toMatchObject(DEFAULTS);
  expect(await headersOf((response) => response.writeHead(431).end())).toMatchObject(DEFAULTS);
  expect(await headersOf((response) => void response.writeHead(400, ['connection', 'close']).end())).toMatchObject(
    DEFAULTS,
  );
});

it('what a response has set stays (B440)', async () => {
  const own = { 'cache-control': 'public, max-age=3600', 'content-security-policy': "default-src 'self'" };
  const set = await headersOf((response) => {
    for (const [name, value] of Object.entries(own)) response.setHeader(name, value);
    response.end();
  });
  expect(set).toMatchObject({ ...DEFAULTS, ...own });
  expect(await headersOf((response) => response.writeHead(200, own).end())).toMatchObject({ ...DEFAULTS, ...own });
});
