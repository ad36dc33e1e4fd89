import { IncomingMessage, ServerResponse } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { createFileHandler } from '#app/server/remix-serve/answer.server.ts';
import { isForForeignHost } from '#app/server/remix-serve/find-refusal.server.ts';
import { toRequest } from '#app/server/remix-serve/exchange.server.ts';
import { createFront } from '#app/server/remix-serve/front.server.ts';
import { normalizeRequest } from '#app/server/remix-serve/normalize-request.server.ts';
import { readSettings } from '#app/settings.server.ts';
import { frontSettings, listen } from '#tests/support/listen.ts';
import { sendRaw } from '#tests/support/raw.ts';

type Handlers = Parameters<typeof createFront>[1];

/** The address of a front before that; without an answer of its own it names the path that it got. */
async function front(handlers: Partial<Handlers> = {}, settings = frontSettings): Promise<string> {
  const named: Handlers['answer'] = ({ url = '' }, response) =>
    response.setHeader('content-length', url.length + 4).end(`got ${url}`);
  const server = createFront(settings, { answer: named, ...handlers });
  onTestFinished(() => void server.close());
  return listen(server);
}

async function ask(url: string, lines: string[]) {
  const { status, text } = await sendRaw(url, `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
  const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s);
  const pairs = head.split('\r\n').map((line) => line.split(/: (.*)/));
  const all = pairs.map(([name = '', value = '']): [string, string] => [name.toLowerCase(), value]);
  return { status, body, headers: Object.fromEntries(all) };
}

it('a request without one host, with an odd expectation or for Remix’s old data is refused (B1192, B1711)', async () => {
  const url = await front();
  for (const [expected, ...lines] of [
    [400, 'GET / HTTP/1.1', 'Host: localhost', 'Host: evil.example'],
    [400, 'GET / HTTP/1.1', 'host: localhost', 'HOST: localhost'],
    [400, 'GET / HTTP/1.1'],
    [417, 'GET / HTTP/1.1', 'Host: localhost', 'Expect: a miracle'],
  ] as const) {
    const { status, body, headers } = await ask(url, lines);
    expect([status, body], lines.join()).toEqual([expected, expect.stringMatching(/^[A-Z].+\.$/)]);
    expect(headers).toMatchObject({
      ...{ 'x-request-id': expect.any(String), 'x-frame-options': 'DENY' },
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
  }
  for (const lines of [['GET / HTTP/1.0'], ['GET / HTTP/1.1', 'Host: localhost']])
    expect((await ask(url, lines)).body).toBe('got /');
  for (const query of ['_data=routes%2F_index', 'q=N5&%5Fdata', '_data=&_data=x']) {
    const { status, body } = await ask(url, [`GET /search?${query} HTTP/1.1`, 'Host: localhost']);
    expect([status, body], query).toEqual([404, 'There is nothing at this address.']);
  }
  expect((await ask(url, ['GET /search?q=_data HTTP/1.1', 'Host: localhost'])).body).toBe('got /search?q=_data');
});

it('a request that brings no body has none for whoever reads it, also where it says so (B1712)', () => {
  const bodyOf = (headers: Record<string, string>) => {
    const request = clean(headers, { method: 'POST' });
    return toRequest(request, new ServerResponse(request), cleanSettings.APP_URL).body;
  };
  for (const length of [undefined, '0'])
    expect(bodyOf(length === undefined ? {} : { 'content-length': length })).toBeNull();
  for (const [name, value] of Object.entries({ 'content-length': '2', 'transfer-encoding': 'chunked' }))
    expect(bodyOf({ [name]: value })).toBeInstanceOf(ReadableStream);
});

it("a request's signal ends when its client leaves, also for who asks later, and not with its answer (B1841)", () => {
  const left = new ServerResponse(clean({}));
  const read = toRequest(clean({}), left, cleanSettings.APP_URL);
  const asked = read.signal;
  expect([asked.aborted, read.signal === asked]).toEqual([false, true]);
  left.destroyed = true;
  left.emit('close');
  expect([asked.aborted, toRequest(clean({}), left, cleanSettings.APP_URL).signal.aborted]).toEqual([true, true]);
  const answered = Object.assign(new ServerResponse(clean({})), { destroyed: true });
  Object.defineProperty(answered, 'writableFinished', { value: true });
  expect(toRequest(clean({}), answered, cleanSettings.APP_URL).signal.aborted).toBe(false);
});

it('a file is sent compressed or as it is, for ever; a part that it lacks is refused (B835, B440, B1191)', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'build-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const icon = '<svg xmlns="http://www.w3.org/2000/svg"/>';
  await writeFile(path.join(folder, 'icon.svg'), icon);
  await writeFile(path.join(folder, 'icon.svg.br'), brotliCompressSync(icon));
  const url = await front({ sendFile: createFileHandler(folder) });
  const answer = await fetch(`${url}/icon.svg`, { headers: { 'accept-encoding': 'br' } });
  expect([await answer.text(), answer.headers.get('content-encoding')]).toEqual([icon, 'br']);
  for (const accepted of ['br', 'identity']) {
    const lines = ['GET /icon.svg HTTP/1.1', 'Host: localhost', `Accept-Encoding: ${accepted}`];
    expect((await ask(url, lines)).headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'image/svg+xml; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    const { status, body, headers } = await ask(url, [...lines, 'Range: bytes=999-']);
    expect([status, body]).toEqual([416, 'Range Not Satisfiable.']);
    const range = { 'content-range': expect.stringMatching(/^bytes \*\/\d+$/) };
    expect(headers).toMatchObject({ 'cache-control': 'no-store', ...range });
    expect(headers).not.toHaveProperty('content-encoding');
  }
  for (const address of ['/icon', '/', '/none.svg', '/icon.svg/', '/../icon.txt'])
    expect((await ask(url, [`GET ${address} HTTP/1.1`, 'Host: localhost'])).body).toBe(`got ${address}`);
});

it('a response has every header of the table that it has not set itself (B440)', async () => {
  const defaults = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ...{ 'cross-origin-opener-policy': 'same-origin', 'cross-origin-resource-policy': 'same-origin' },
    'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=(), usb=()',
    ...{ 'referrer-policy': 'same-origin', 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' },
  };
  const headersOf = async (answer: (response: ServerResponse) => void) =>
    (await ask(await front({ answer: (_, response) => answer(response) }), ['GET / HTTP/1.1', 'Host: localhost']))
      .headers;
  expect(await headersOf((response) => response.end('ok'))).toMatchObject(defaults);
  expect(await headersOf((response) => response.writeHead(431).end())).toMatchObject(defaults);
  const inList = (response: ServerResponse) => void response.writeHead(400, ['connection', 'close']).end();
  expect(await headersOf(inList)).toMatchObject(defaults);
  const own = { 'cache-control': 'public, max-age=3600', 'content-security-policy': "default-src 'self'" };
  const set = (response: ServerResponse) => {
    for (const [name, value] of Object.entries(own)) response.setHeader(name, value);
    response.end();
  };
  expect(await headersOf(set)).toMatchObject({ ...defaults, ...own });
  expect(await headersOf((response) => response.writeHead(200, own).end())).toMatchObject({ ...defaults, ...own });
});

it('a health check by GET or HEAD is answered without the framework, and nothing else is (B847)', async () => {
  const url = await front();
  const answer = await fetch(`${url}/healthz`);
  expect([answer.status, await answer.text()]).toEqual([200, 'ok\n']);
  const type = { 'content-type': 'text/plain;charset=UTF-8', 'content-length': '3' };
  expect(Object.fromEntries(answer.headers)).toMatchObject({ 'cache-control': 'no-store', ...type });
  const head = await fetch(`${url}/healthz`, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '3', '']);
  for (const [method, address] of [
    ['GET', '/healthz/x'],
    ['GET', '/readyz'],
    ['POST', '/healthz'],
  ] as const)
    expect(await (await fetch(url + address, { method })).text()).toBe(`got ${address}`);
});

/** Whether a request is for another host than flights.example, as it comes or once it is normalized. */
function isForeign(headers: Record<string, string>, { url = '/login', normalizes = false } = {}): boolean {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { url });
  Object.assign(request.headers, headers);
  if (normalizes) normalizeRequest(request, { APP_URL: 'https://flights.example', TRUST_PROXY: 1 });
  return isForForeignHost(request, 'flights.example');
}

it('a request for our name, also as forwarded, is served; another is 421 before the framework (B443, B975)', async () => {
  const APP_URL = 'https://flights.example';
  const url = await front({}, { ...frontSettings, APP_URL, REFUSES_FOREIGN_HOSTS: true });
  const refused = await ask(url, ['GET / HTTP/1.1', 'Host: evil.example']);
  expect([refused.status, refused.body]).toEqual([421, `This server answers at ${APP_URL} only.\n`]);
  expect((await ask(url, ['GET / HTTP/1.1', 'Host: flights.example'])).body).toBe('got /');
  const required = { DATABASE_URL: 'postgres://localhost/x', SESSION_SECRET: 'x'.repeat(32) };
  expect(readSettings({ ...required, APP_URL }).REFUSES_FOREIGN_HOSTS).toBe(true);
  expect(readSettings({ ...required, APP_URL: '' }).REFUSES_FOREIGN_HOSTS).toBe(false);
  expect(readSettings({ ...required, APP_URL, NODE_ENV: 'development' }).REFUSES_FOREIGN_HOSTS).toBe(false);
  for (const host of ['flights.example', 'FLIGHTS.example', 'flights.example:443', 'flights.example:8080'])
    expect(isForeign({ host }), host).toBe(false);
  const others = ['evil.example', 'flights.example.evil.example', 'evil.example:443', '127.0.0.1', '[::1]:3000'];
  for (const host of [...others, 'localhost', '']) expect(isForeign({ host }), host).toBe(true);
  expect(isForeign({})).toBe(true);
  expect(isForeign({ host: 'inside:3000', 'x-forwarded-host': 'flights.example' })).toBe(false);
  expect(isForeign({ host: 'flights.example', 'x-forwarded-host': 'evil.example' })).toBe(true);
  expect(isForeign({ host: 'inside', 'x-forwarded-host': 'flights.example, evil.example' })).toBe(true);
  const cases: [boolean, string, string?][] = [
    [true, 'flights.example@evil.example'],
    [true, 'flights.example:99999'],
    [true, 'evil .example'],
    [true, ''],
    [true, 'flights.example', 'evil.example, flights.example'],
    [false, 'in side', 'flights.example'],
    [false, 'inside', 'flights.example, flights.example'],
  ];
  for (const [is, host, forwarded] of cases) {
    const headers = { host, ...(forwarded !== undefined && { 'x-forwarded-host': forwarded }) };
    expect(isForeign(headers, { normalizes: true }), JSON.stringify(headers)).toBe(is);
  }
  for (const url of ['/healthz', '/readyz', '/readyz?from=balancer'])
    expect(isForeign({ host: '10.0.0.7:3000' }, { url }), url).toBe(false);
  expect(isForeign({ host: '10.0.0.7:3000' }, { url: '/healthz/x' })).toBe(true);
});

const cleanSettings = { TRUST_PROXY: 0, APP_URL: 'https://flights.example' };

function clean(headers: Record<string, string>, { method = 'GET', url = '/login' } = {}) {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method, url });
  Object.assign(request.headers, { host: 'inside:3000', ...headers });
  normalizeRequest(request, cleanSettings);
  return request;
}

/** The host of the address that a loader reads. */
function hostReadOf(host: string): string {
  const request = clean({ host });
  return new URL(toRequest(request, new ServerResponse(request), cleanSettings.APP_URL).url).host;
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
