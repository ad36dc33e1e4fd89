import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendRaw } from '#tests/support/raw.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const HOST = 'flights.example';

let server: TestServer;
let cookie: string;
beforeAll(async () => {
  server = await startServer({ APP_URL: `https://${HOST}`, LOG_LEVEL: 'error' });
  // By https the name of the cookie has its prefix.
  cookie = `__Host-${await cookieOf(server.db, await makeUser(server.db, await makeSchool(server.db), 'administrator'))}`;
});
afterAll(() => server.stop());

interface Kind {
  line: string;
  status: number;
  headers?: string[];
  body?: string;
}

const SIGNED_IN = 'Cookie: COOKIE';
const KINDS: Kind[] = [
  { line: 'GET /login', status: 200 },
  { line: 'GET /airplanes', status: 302 },
  { line: 'GET /airplanes', status: 200, headers: [SIGNED_IN] },
  { line: 'GET /airplanes.data', status: 200, headers: [SIGNED_IN] },
  { line: 'GET /nowhere', status: 404, headers: [SIGNED_IN] },
  { line: 'GET /api/user', status: 200, headers: [SIGNED_IN] },
  { line: 'GET /api/user', status: 401 },
  { line: 'GET /api/nowhere', status: 404, headers: [SIGNED_IN] },
  { line: 'DELETE /api/user', status: 405, headers: [SIGNED_IN] },
  { line: 'GET /api/flight-logs/export', status: 200, headers: [SIGNED_IN] },
  { line: 'GET /api/openapi.json', status: 200, headers: [SIGNED_IN] },
  { line: 'GET /favicon.svg', status: 200 },
  { line: 'GET /assets/', status: 404, headers: [SIGNED_IN] },
  { line: 'GET /assets', status: 302 },
  { line: 'GET /healthz', status: 200 },
  { line: 'GET /readyz', status: 200 },
  { line: 'POST /login', status: 403, headers: ['Sec-Fetch-Site: cross-site', 'Content-Length: 0'] },
  { line: 'POST /api/login', status: 415, headers: ['Content-Type: text/plain', 'Content-Length: 2'], body: '{}' },
  { line: `GET /${'a'.repeat(2000)}`, status: 414 },
  { line: `GET ${'/a'.repeat(30)}`, status: 404 },
  { line: 'BREW /', status: 400 },
  { line: 'GET /login', status: 400, headers: ['Not a header'] },
  { line: 'GET /login', status: 431, headers: [`X-Long: ${'a'.repeat(20_000)}`] },
];

it.each(KINDS)('$line with status $status has every security header and names its charset (B440)', async (kind) => {
  const { status, headers } = await send(kind);
  expect(status).toBe(kind.status);
  expect(headers).toMatchObject({
    'strict-transport-security': 'max-age=63072000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    'referrer-policy': expect.stringMatching(/^(same-origin|no-referrer)$/),
  });
  expect(headers['content-type'] ?? 'none').toMatch(/^none$|charset=utf-8$|^(application\/json|image\/(png|jpeg))$/i);
});

async function send({ line, headers = [], body = '' }: Kind) {
  const all = [`${line} HTTP/1.1`, `Host: ${HOST}`, 'Connection: close', ...headers];
  const head = all.join('\r\n').replace('COOKIE', cookie);
  const { status, text } = await sendRaw(server.url, `${head}\r\n\r\n${body}`);
  const [, ...lines] = (text.split('\r\n\r\n')[0] ?? '').split('\r\n');
  const pairs = lines.map((one) => one.split(/: (.*)/)).map(([name = '', value = '']) => [name.toLowerCase(), value]);
  return { status, headers: Object.fromEntries(pairs) as Record<string, string> };
}
