import type { Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readRawAnswer, openSocket, sendRaw, type RawAnswer } from '#tests/support/raw.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import type { TestServer } from '#tests/support/server.ts';
import { sharedServer } from '#tests/support/worker.ts';

let server: TestServer;
let cookie: string;
beforeAll(async () => {
  server = await sharedServer();
  logged = server.output().length;
  cookie = await cookieOf(server.db, await makeUser(server.db, await makeSchool(server.db), 'administrator'));
});

// Whatever was sent: the server takes the next request, and has logged no error.
let logged = 0;
afterEach(async () => {
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  const news = server.output().slice(logged);
  logged += news.length;
  // Other servers of this checkout note heads of the activity of other databases.
  expect(news).not.toMatch(/"level":50,"time":\d+,(?!"heads")/);
});

/** A request by an administrator's browser, as a line of HTTP and further header lines. */
function send(line: string, headers: string[] = [], body = ''): Promise<RawAnswer> {
  const all = [`${line} HTTP/1.1`, 'Host: localhost', 'Connection: close', `Cookie: ${cookie}`, ...headers];
  return sendRaw(server.url, `${all.join('\r\n')}\r\n\r\n${body}`);
}

const FORM = ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 3'];

function expectNoFailure({ status, text }: RawAnswer, what: string): void {
  expect(status, what).toBeGreaterThanOrEqual(100);
  expect(status, `${what}\n${text}`).toBeLessThan(500);
  expect(text, what).not.toMatch(/\n\s+at |node_modules|root:x:/);
}

describe('methods', () => {
  const PLACES =
    '/ /login /airplanes?index /api/user /api/login /api/nowhere /nowhere /healthz /favicon.svg /login.data /photos/1'.split(
      ' ',
    );

  it('a method that is not served is answered everywhere, never by a failure (B272)', async () => {
    for (const method of ['HEAD', 'OPTIONS', 'TRACE', 'PATCH', 'PUT', 'DELETE', 'PROPFIND', 'get', 'BREW'])
      for (const place of PLACES)
        expectNoFailure(await send(`${method} ${place}`, ['Content-Length: 0']), `${method} ${place}`);
  });

  it('a screen answers every other method with 405, and does nothing (C74)', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      for (const place of ['/school-settings', '/', '/logout']) {
        const { status, text } = await send(`${method} ${place}`, FORM, 'a=b');
        expect([method, place, status]).toEqual([method, place, 405]);
        expect(text).toContain('405: Method Not Allowed');
      }
    expect((await fetch(`${server.url}/api/user`, { headers: { cookie } })).status).toBe(200);
  });

  it('an API call answers OPTIONS with 405 in text, and so does every place an unknown method (B272, B410)', async () => {
    const called = await send('OPTIONS /api/aircraft');
    expect(called.text).toMatch(/^HTTP\/1.1 405 [^]*\r\n\r\n([\da-f]+\r\n)?Method Not Allowed/);
    for (const method of ['TRACE', 'PROPFIND'])
      for (const place of PLACES) {
        const { text } = await send(`${method} ${place}`);
        expect(text, place).toMatch(/^HTTP\/1.1 405 [^]*\r\n\r\nThis method is not served here\.$/);
        expect(text, place).toMatch(/\r\nallow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n/i);
      }
  });
});

describe('addresses', () => {
  const ODD = [
    ...'/% /%ff /%00 /%0A /%E2%80%A8 /%25 /%2e%2e/%2e%2e/etc/passwd /../../etc/passwd /..%2f..%2fetc%2fpasswd'.split(
      ' ',
    ),
    ...'// ///api/user //evil.example/x /\\evil /assets/../../package.json /assets/%2e%2e%2f%2e%2e%2fpackage.json'.split(
      ' ',
    ),
    ...'/assets/%00 /assets/% /.env /.git/config /.data /%ff.data /%0A.data /login.data?_routes=%00 /__manifest'.split(
      ' ',
    ),
    ...'/__manifest?p=%ff&version=x /flight-log/%00/post-check /flight-log/%0A/post-check /photos/%ff'.split(' '),
    ...'/airplanes?confirm=% /flight-logs?after=%00&log=%ff /login?to=//evil.example /register?token=%00 /login#x'.split(
      ' ',
    ),
    ...'http://evil.example/login http://evil.example//x https:// * foo:bar http://[/ /é /\u0001'.split(' '),
    ...['/ x', `/${'a'.repeat(8000)}`, `/${'%F0%9F%9B%A9'.repeat(600)}`, `/?${'a=b&'.repeat(2000)}`],
    `/__manifest?version=1&${'p=/airplanes/a&'.repeat(500)}`,
  ];

  it('a GET and a POST of any address are answered, never by a failure (B014)', async () => {
    for (const address of ODD)
      for (const answer of [await send(`GET ${address}`), await send(`POST ${address}`, FORM, 'a=b')])
        expectNoFailure(answer, address);
  });

  it('an unknown call is answered with 404 in text, never with a page (B272)', async () => {
    const plain = /^HTTP\/1.1 404 [^]*content-type: text\/plain[^]*\r\n\r\n([\da-f]+\r\n)?Not Found/;
    for (const address of '/api/%0A /api/%E2%80%A9 /api/%ff /api/% /api/%00 /api//user/1 /api/..%2fuser'.split(' '))
      expect((await send(`GET ${address}`)).text, address).toMatch(plain);
  });

  it('signed out, an address with a line end shows the sign-in screen like any other (C32)', async () => {
    const { headers, status } = await fetch(`${server.url}/hangar%0A7`, { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([302, '/login?to=%2Fhangar%25250A7']);
  });
});

describe('headers', () => {
  const HOSTS = [
    ...'localhost:99999 999.999.999.999 1.2.3.4.5 0x100000000 xn--a [::1 [zz] a,b é localhost:abc user@host'.split(' '),
    ...['host/path', '%', 'a b', '', 'evil.example', '..', '-', 'x'.repeat(5000)],
  ];

  it('a request for another host, or for none, is refused (B443, B975)', async () => {
    for (const host of HOSTS) {
      const request = `GET /login HTTP/1.1\r\nConnection: close\r\nHost: ${host}\r\n\r\n`;
      const { status, text } = await sendRaw(server.url, request);
      expect([host, status, text.includes('This server answers at http://localhost:')]).toEqual([host, 421, true]);
      expect(text).toContain('X-Content-Type-Options: nosniff'.toLowerCase());
    }
  });

  const LINES = [
    ...['flightline=%', 'flightline-flash=%', 'flightline-flash=bnVsbA==.x', 'a=b;'.repeat(2000)].map(
      (cookies) => `Cookie: ${cookies}`,
    ),
    ...['Expect: 100-continue', 'Expect: the unexpected', 'Transfer-Encoding: banana', 'Content-Length: -1'],
    ...['Content-Length: 1e3', 'Content-Length: 5\r\nTransfer-Encoding: chunked', 'Content-Encoding: gzip'],
    ...['Upgrade: websocket', 'Range: bytes=99-1', 'Origin: %', 'Sec-Fetch-Site: x', 'X-Forwarded-Host: %'],
    ...['X-Forwarded-Proto: javascript', 'If-None-Match: "', 'no header at all', `Content-Type: ${'x'.repeat(5000)}`],
    ...[`Accept-Encoding: ${'x,'.repeat(2000)}`, `Idempotency-Key: ${'x'.repeat(5000)}`],
    ...[1_000, 20_000].map((length) => Array.from({ length }, (_, at) => `x${at}: y`).join('\r\n')),
  ];

  it('a request with an odd header is answered as page, file, form and call', async () => {
    for (const line of LINES)
      for (const start of ['GET /login', 'GET /favicon.svg', 'POST /login', 'POST /api/login'])
        expectNoFailure(await send(start, [line]), `${start} ${line.slice(0, 50)}`);
  });
});

describe('requests that are no HTTP, or stop in the middle', () => {
  it('bytes that are no request are answered with 400', async () => {
    const texts = ['GET\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', '\x16\x03\x01\x02\x00\x01', '\0'.repeat(50)];
    for (const text of [...texts, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'GET / HTTP/1.1\r\nbad header\r\n\r\n'])
      expect((await sendRaw(server.url, text)).status, text).toBe(400);
  });

  it('a chunk without a length is answered with 400, or the connection is closed', async () => {
    const { status } = await send('POST /login', [FORM[0] ?? '', 'Transfer-Encoding: chunked'], 'ZZ\r\n');
    expect([0, 400]).toContain(status);
  });

  it('half a multipart body is answered with 400 in words', async () => {
    const body = '--b\r\nContent-Disposition: form-data; name="meterType"\r\n\r\nhob';
    const { status, text } = await send(
      'POST /ocr?index',
      ['Content-Type: multipart/form-data; boundary=b', `Content-Length: ${body.length}`],
      body,
    );
    expect([status, text.includes('The form arrived incomplete. Please send it again.')]).toEqual([400, true]);
  });

  it('twenty senders that go away in the middle of a body do no harm', async () => {
    const head = `POST /ocr?index HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 9000\r\n\r\n--b`;
    const going = await Promise.all(Array.from({ length: 20 }, () => openSocket(server.url, head)));
    for (const socket of going) socket.destroy();
  });

  it('two hundred requests that never end keep no other request waiting', async () => {
    const heads = [
      'GET /login HTTP/1.1\r\nHost: loc',
      `POST /login HTTP/1.1\r\nHost: localhost\r\n${FORM[0]}\r\nContent-Length: 100\r\n\r\nuser`,
    ];
    const slow: Socket[] = await Promise.all(
      Array.from({ length: 200 }, (_, at) => openSocket(server.url, heads[at % 2])),
    );
    const { status } = await send('GET /airplanes');
    expect(status).toBe(200);
    const [one] = slow;
    one?.write('alhost\r\nConnection: close\r\n\r\n');
    expect(one && (await readRawAnswer(one)).status).toBe(200);
    for (const socket of slow) socket.destroy();
  });
});
