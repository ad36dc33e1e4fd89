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

describe('addresses', () => {
  const ODD = [
    ...`/% /%ff /%00 /%0A /%E2%80%A8 /%25 /%2e%2e/%2e%2e/etc/passwd /../../etc/passwd /..%2f..%2fetc%2fpasswd
      // ///api/user //evil.example/x /\\evil /assets/../../package.json /assets/%2e%2e%2f%2e%2e%2fpackage.json
      /assets/%00 /assets/% /.env /.git/config /.data /%ff.data /%0A.data /login.data?_routes=%00 /__manifest
      /__manifest?p=%ff&version=x /flight-log/%00/post-check /flight-log/%0A/post-check /photos/%ff
      http://evil.example/login http://evil.example//x https:// * foo:bar http://[/ /é /\u0001
      /airplanes?confirm=% /flight-logs?after=%00&log=%ff /login?to=//evil.example /register?token=%00 /login#x`.split(
      /\s+/,
    ),
    ...['/ x', `/${'a'.repeat(8000)}`, `/${'%F0%9F%9B%A9'.repeat(600)}`, `/?${'a=b&'.repeat(2000)}`],
    `/__manifest?version=1&${'p=/airplanes/a&'.repeat(500)}`,
  ];

  it('a GET and a POST of any address are answered, never by a failure (B014)', async () => {
    for (const address of ODD)
      for (const answer of [await send(`GET ${address}`), await send(`POST ${address}`, FORM, 'a=b')])
        expectNoFailure(answer, address);
  });
});

describe('headers', () => {
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
