import { expect, it } from 'vitest';
import { findAddressRefusal } from '#app/server/remix-serve/find-refusal.server.ts';

const statusOf = (url: string, method = 'GET') => findAddressRefusal({ method, url })?.status;
const pathOf = (segments: number) => '/a'.repeat(segments);
const sized = (start: string, bytes: number) => start.padEnd(bytes, 'x');

it('a path has 1,024 bytes and 16 segments, a query 4 kB, and a request a usual method (B272, B410)', () => {
  const ok = undefined;
  expect([1023, 1024, 1025].map((bytes) => statusOf(sized('/', bytes)))).toEqual([ok, ok, 414]);
  expect([1023, 1024, 1025].map((bytes) => statusOf(`${sized('/', bytes)}?x`))).toEqual([ok, ok, 414]);
  expect([511, 512].map((letters) => statusOf(`/${'é'.repeat(letters)}`))).toEqual([ok, 414]);
  expect([15, 16, 17].map((segments) => statusOf(pathOf(segments)))).toEqual([ok, ok, 404]);
  const dataOf = (segments: number) => statusOf(`${pathOf(segments)}.data?_routes=x`, 'POST');
  expect([15, 16, 17].map(dataOf)).toEqual([ok, ok, 404]);
  for (const path of ['/'.repeat(17), `/${'a\\'.repeat(17)}`, `${pathOf(16)}/`]) expect(statusOf(path), path).toBe(404);
  expect([4095, 4096, 4097].map((bytes) => statusOf(`/login?${sized('to=', bytes)}`))).toEqual([ok, ok, 414]);
  const allow = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
  for (const method of allow.split(', ')) expect(findAddressRefusal({ method, url: '/' }), method).toBeUndefined();
  for (const method of ['TRACE', 'CONNECT', 'PROPFIND', 'get', ''])
    expect(findAddressRefusal({ method, url: '/' }), method).toMatchObject({ status: 405, headers: { allow } });
});
