import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { toRequest } from '#app/server/remix-serve/exchange.server.ts';
import { normalizeRequest } from '#app/server/remix-serve/normalize-request.server.ts';

const settings = { TRUST_PROXY: 0, APP_URL: 'https://flights.example' };

function clean(headers: Record<string, string>, { method = 'GET', url = '/login' } = {}) {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method, url });
  Object.assign(request.headers, { host: 'inside:3000', ...headers });
  normalizeRequest(request, settings);
  return request;
}

/** The host of the address that a loader reads. */
function hostReadOf(host: string): string {
  const request = clean({ host });
  return new URL(toRequest(request, new ServerResponse(request), settings.APP_URL).url).host;
}

const cleaned = (headers: Record<string, string>) => clean(headers).headers;

it('an Origin becomes a Sec-Fetch-Site unless the browser sent one, and none without it (B322, C24, C27)', () => {
  const origins: [string, string, string][] = [
    ['the address of APP_URL', 'https://flights.example', 'same-origin'],
    ['the host it was sent to', 'http://inside:3000', 'same-origin'],
    ['another site', 'https://elsewhere.example', 'cross-site'],
    ['nowhere, as a page under no-referrer does', 'null', 'hidden'],
    ['no address at all', 'flights.example', 'cross-site'],
  ];
  for (const [from, origin, word] of origins) {
    expect(cleaned({ origin }), from).toMatchObject({ 'sec-fetch-site': word });
    expect(cleaned({ origin }), from).not.toHaveProperty('origin');
  }
  expect(cleaned({ origin: 'https://evil.example', 'sec-fetch-site': '' })['sec-fetch-site']).toBe('cross-site');
  for (const [origin, word] of [
    ['null', 'same-origin'],
    ['http://inside:3000', 'cross-site'],
  ] as const)
    expect(cleaned({ origin, 'sec-fetch-site': word })['sec-fetch-site'], origin).toBe(word);
  expect(cleaned({})).not.toHaveProperty('sec-fetch-site');
});

it('a request with a malformed Host is read as one for that of APP_URL, and any other Host is kept (B239)', () => {
  const malformed = ['inside:99999', '999.999.999.999', '1.2.3.4.5', '0x100000000', 'xn--a', 'user@inside'];
  for (const host of [...malformed, 'inside/x', '']) {
    expect(hostReadOf(host), host).toBe('flights.example');
    expect(cleaned({ 'x-forwarded-host': host }), host).not.toHaveProperty('x-forwarded-host');
  }
  for (const host of ['inside', 'inside:3000', '127.0.0.1:3000', '[::1]:3000', 'my_host.local'])
    expect(hostReadOf(host)).toBe(host);
});

it('a URL that cannot be decoded, of another server or of none is routed as a path of ours (B014, B272)', () => {
  const urls = [
    ['/%', '/%25'],
    ['/api/%ff?x=%ff', '/api/%25ff?x=%ff'],
    ['/api/%0A', '/api/%250A'],
    ['/%E2%80%A8', '/%25E2%2580%25A8'],
    ['/caf%C3%A9?x=%0A', '/caf%C3%A9?x=%0A'],
    ['http://elsewhere.example//login?x', '/login?x'],
    ['*', '/'],
  ] as const;
  for (const [url, read] of urls) expect(clean({}, { url }).url).toBe(read);
});
