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
  expect(news).not.toContain('"level":50');
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
  const METHODS = ['HEAD', 'OPTIONS', 'TRACE', 'PATCH', 'PUT', 'DELETE', 'PROPFIND', 'get', 'BREW'];
  const PLACES = [
    '/',
    '/login',
    '/airplanes?index',
    '/api/user',
    '/api/login',
    '/api/nowhere',
    '/nowhere',
    '/healthz',
    '/favicon.svg',
    '/login.data',
    '/photos/1',
  ];

  it.each(METHODS)('the method %s is answered everywhere, never by a failure (B272)', async (method) => {
    for (const place of PLACES)
      expectNoFailure(await send(`${method} ${place}`, ['Content-Length: 0']), `${method} ${place}`);
  });

  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'a screen answers %s with 405, and does nothing (C74)',
    async (method) => {
      for (const place of ['/school-settings', '/', '/logout']) {
        const { status, text } = await send(`${method} ${place}`, FORM, 'a=b');
        expect([place, status]).toEqual([place, 405]);
        expect(text).toContain('405: Method Not Allowed');
      }
      expect((await fetch(`${server.url}/api/user`, { headers: { cookie } })).status).toBe(200);
    },
  );

  it('an API call answers OPTIONS with 405 in text (B272)', async () => {
    expect((await send('OPTIONS /api/aircraft')).text).toMatch(
      /^HTTP\/1.1 405 [^]*\r\n\r\n[\da-f]+\r\nMethod Not Allowed/,
    );
  });

  it.each(['TRACE', 'PROPFIND'])(
    'the method %s is answered with 405 in text everywhere (B272, B410)',
    async (method) => {
      for (const place of PLACES) {
        const { text } = await send(`${method} ${place}`);
        expect(text, place).toMatch(/^HTTP\/1.1 405 [^]*\r\n\r\nThis method is not served here\.$/);
        expect(text, place).toMatch(/\r\nallow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n/i);
      }
    },
  );
});

describe('addresses', () => {
  const ODD = [
    ...[
      '/%',
      '/%ff',
      '/%00',
      '/%0A',
      '/%E2%80%A8',
      '/%25',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/../../etc/passwd',
      '/..%2f..%2fetc%2fpasswd',
    ],
    ...[
      '//',
      '///api/user',
      '//evil.example/x',
      '/\\evil',
      '/assets/../../package.json',
      '/assets/%2e%2e%2f%2e%2e%2fpackage.json',
    ],
    ...[
      '/assets/%00',
      '/assets/%',
      '/.env',
      '/.git/config',
      `/${'a'.repeat(8000)}`,
      `/${'%F0%9F%9B%A9'.repeat(600)}`,
      `/?${'a=b&'.repeat(2000)}`,
    ],
    ...['/.data', '/%ff.data', '/%0A.data', '/login.data?_routes=%00', '/__manifest', '/__manifest?p=%ff&version=x'],
    ...[
      `/__manifest?version=1&${'p=/airplanes/a&'.repeat(500)}`,
      '/flight-log/%00/post-check',
      '/flight-log/%0A/post-check',
      '/photos/%ff',
    ],
    ...[
      '/airplanes?confirm=%',
      '/flight-logs?after=%00&log=%ff',
      '/login?to=//evil.example',
      '/register?token=%00',
      '/login#x',
    ],
    ...[
      'http://evil.example/login',
      'http://evil.example//x',
      'https://',
      '*',
      'foo:bar',
      'http://[/',
      '/ x',
      '/é',
      '/\u0001',
    ],
  ];

  it.each(ODD.map((address) => [address.slice(0, 60), address]))(
    'a GET and a POST of the address %s are answered, never by a failure (B014)',
    async (_, address) => {
      for (const answer of [await send(`GET ${address}`), await send(`POST ${address}`, FORM, 'a=b')])
        expectNoFailure(answer, address);
    },
  );

  it.each(['/api/%0A', '/api/%E2%80%A9', '/api/%ff', '/api/%', '/api/%00', '/api//user/1', '/api/..%2fuser'])(
    'the unknown call %s is answered with 404 in text, never with a page (B272)',
    async (address) => {
      expect((await send(`GET ${address}`)).text).toMatch(
        /^HTTP\/1.1 404 [^]*content-type: text\/plain[^]*\r\n\r\n[\da-f]+\r\nNot Found/,
      );
    },
  );

  it('signed out, an address with a line end shows the sign-in screen like any other (C32)', async () => {
    const { headers, status } = await fetch(`${server.url}/hangar%0A7`, { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([302, '/login?to=%2Fhangar%25250A7']);
  });
});

describe('headers', () => {
  const HOSTS = [
    ...[
      'localhost:99999',
      '999.999.999.999',
      '1.2.3.4.5',
      '0x100000000',
      'xn--a',
      '[::1',
      '[zz]',
      'a b',
      'a,b',
      'é',
      '',
    ],
    ...['localhost:abc', 'user@host', 'host/path', '%'],
  ];

  it.each(['evil.example', '..', '-', 'x'.repeat(5000), ...HOSTS].map((host) => [host.slice(0, 40), host]))(
    'a request for the host %j is refused (B443, B975)',
    async (_, host) => {
      const { status, text } = await sendRaw(
        server.url,
        `GET /login HTTP/1.1\r\nConnection: close\r\nHost: ${host}\r\n\r\n`,
      );
      expect([status, text.includes('This server answers at http://localhost:')]).toEqual([421, true]);
      expect(text).toContain('X-Content-Type-Options: nosniff'.toLowerCase());
    },
  );

  const LINES = [
    ...[
      'Cookie: flightline=%',
      'Cookie: flightline-flash=%',
      'Cookie: flightline-flash=bnVsbA==.x',
      `Cookie: ${'a=b;'.repeat(2000)}`,
    ],
    ...[
      'Expect: 100-continue',
      'Expect: the unexpected',
      'Transfer-Encoding: banana',
      'Content-Length: -1',
      'Content-Length: 1e3',
    ],
    ...[
      'Content-Length: 5\r\nTransfer-Encoding: chunked',
      'Content-Encoding: gzip',
      'Upgrade: websocket',
      'Range: bytes=99-1',
    ],
    ...[
      'Origin: %',
      'Sec-Fetch-Site: x',
      'X-Forwarded-Host: %',
      'X-Forwarded-Proto: javascript',
      'If-None-Match: "',
      'no header at all',
    ],
    ...[
      `Content-Type: ${'x'.repeat(5000)}`,
      `Accept-Encoding: ${'x,'.repeat(2000)}`,
      `Idempotency-Key: ${'x'.repeat(5000)}`,
    ],
    ...[
      Array.from({ length: 1_000 }, (_, at) => `x${at}: y`).join('\r\n'),
      Array.from({ length: 20_000 }, (_, at) => `x${at}: y`).join('\r\n'),
    ],
  ];

  it.each(LINES.map((line) => [line.slice(0, 50), line]))(
    'a request with the header %j is answered as page, file, form and call',
    async (_, line) => {
      for (const start of ['GET /login', 'GET /favicon.svg', 'POST /login', 'POST /api/login']) {
        expectNoFailure(await send(start, [line]), `${start} ${line.slice(0, 50)}`);
      }
    },
  );
});

describe('requests that are no HTTP, or stop in the middle', () => {
  it.each([
    'GET\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'GET / HTTP/1.1\r\nbad header\r\n\r\n',
    '\0'.repeat(50),
  ])('the bytes %j are answered with 400', async (text) => expect((await sendRaw(server.url, text)).status).toBe(400));

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
