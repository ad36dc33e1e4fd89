import { describe, expect, it } from 'vitest';
import { findCostlyAddress } from '#app/server/remix-serve/find-refusal.server.ts';

const statusOf = (url: string, method = 'GET') => findCostlyAddress({ method, url })?.status;
const pathOf = (segments: number) => '/a'.repeat(segments);
const sized = (start: string, bytes: number) => start.padEnd(bytes, 'x');

describe('what is refused before Remix sees it', () => {
  it('a path may have 1,024 bytes (B410)', () => {
    expect([1023, 1024, 1025].map((bytes) => statusOf(sized('/', bytes)))).toEqual([undefined, undefined, 414]);
    expect([1023, 1024, 1025].map((bytes) => statusOf(`${sized('/', bytes)}?x`))).toEqual([undefined, undefined, 414]);
  });

  it('the bytes of a path are counted, not its characters (B410)', () => {
    expect([511, 512].map((letters) => statusOf(`/${'é'.repeat(letters)}`))).toEqual([undefined, 414]);
  });

  it('a path may have 16 segments (B410)', () => {
    expect([15, 16, 17].map((segments) => statusOf(pathOf(segments)))).toEqual([undefined, undefined, 404]);
    expect([15, 16, 17].map((segments) => statusOf(`${pathOf(segments)}.data?_routes=x`, 'POST'))).toEqual([
      undefined,
      undefined,
      404,
    ]);
  });

  it.each([
    ['empty segments', '/'.repeat(17)],
    ['backslashes', `/${'a\\'.repeat(17)}`],
    ['an end', `${pathOf(16)}/`],
  ])('a path of more than 16 segments by %s is refused (B410)', (_, path) => {
    expect(statusOf(path)).toBe(404);
  });

  it('a query may have 4 kB (B410)', () => {
    expect([4095, 4096, 4097].map((bytes) => statusOf(`/login?${sized('to=', bytes)}`))).toEqual([
      undefined,
      undefined,
      414,
    ]);
  });

  it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('the method %s passes (B410)', (method) => {
    expect(findCostlyAddress({ method, url: '/' })).toBeUndefined();
  });

  it.each(['TRACE', 'CONNECT', 'PROPFIND', 'get', ''])('the method %j is refused with 405 (B410, B272)', (method) => {
    expect(findCostlyAddress({ method, url: '/' })).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' },
    });
  });
});
