import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFront } from '#app/server/remix-serve/front.server.ts';
import { frontSettings, listen } from '#tests/support/listen.ts';
import { sendRaw } from '#tests/support/raw.ts';

let url: string;
const server = createFront(frontSettings, {
  answer: (_request, response) => response.setHeader('content-length', 6).end('served'),
});
beforeAll(async () => {
  url = await listen(server);
});
afterAll(() => void server.close());

const HEADERS = ['x-request-id: ', 'x-frame-options: DENY', "content-security-policy: default-src 'none'"];

it.each([
  ['two Hosts', 'GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n', 400],
  ['the same Host twice, in other letters', 'GET / HTTP/1.1\r\nhost: localhost\r\nHOST: localhost\r\n', 400],
  ['no Host by HTTP/1.1', 'GET / HTTP/1.1\r\n', 400],
  ['an expectation that nobody meets', 'GET / HTTP/1.1\r\nHost: localhost\r\nExpect: a miracle\r\n', 417],
])('a request with %s is refused in plain words, with all headers (B1192)', async (_, head, expected) => {
  const { status, text } = await sendRaw(url, `${head}Connection: close\r\n\r\n`);
  expect([status, text.split('\r\n\r\n')[1]]).toEqual([expected, expect.stringMatching(/^[A-Z].+\.$/)]);
  for (const header of HEADERS) expect(text).toContain(header);
});

it.each([
  ['no Host by HTTP/1.0', 'GET / HTTP/1.0\r\n'],
  ['one Host', 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n'],
])('a request with %s is served (B1192)', async (_, head) => {
  expect((await sendRaw(url, `${head}\r\n`)).text).toMatch(/\r\n\r\nserved$/);
});
