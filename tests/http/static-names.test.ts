import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { cookieOf, getRequest, handleRequest } from '#tests/support/ask.ts';
import { makeSchool, makeUser, testDatabase } from '#tests/support/makers.ts';

const { db } = await testDatabase();
const cookies = { 'signed out': '', 'signed in': await cookieOf(db, await makeUser(db, await makeSchool(db))) };

for (const [who, cookie] of Object.entries(cookies)) {
  it(`the name of a file that there is not is answered with a few words, ${who} (B786)`, async () => {
    const files = ['/sitemap.xml', '/apple-touch-icon-120x120-precomposed.png', '/ads.txt', '/no/such/script.js'];
    for (const path of [...files, '/.well-known/change-password', '/.well-known/assetlinks.json']) {
      const answer = await handleRequest(getRequest(path, cookie));
      const plain = [path, 404, 'text/plain; charset=utf-8'];
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual(plain);
      expect((await answer.text()).length, path).toBeLessThan(100);
    }
  });

  it(`the manifest names the product, its start and icons that are there, ${who} (B785)`, async () => {
    const answer = await handleRequest(getRequest('/manifest.webmanifest', cookie));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/manifest+json');
    const manifest = await answer.json();
    expect(manifest).toMatchObject({ name: 'Flightline', start_url: '/', scope: '/', display: 'standalone' });
    for (const { src, sizes } of manifest.icons) {
      const png = readFileSync(`public${src}`);
      expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes);
    }
    expect(manifest.icons.map(({ purpose }: { purpose?: string }) => purpose)).toContain('maskable');
  });
}

it('an address that names no file asks to sign in; the old icon and the rules for robots are files (B786)', async () => {
  const answer = await handleRequest(getRequest('/no/such/page'));
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/login?to=%2Fno%2Fsuch%2Fpage']);
  expect(readFileSync('public/favicon.ico').subarray(0, 6)).toEqual(Buffer.from([0, 0, 1, 0, 1, 0]));
  expect(readFileSync('public/robots.txt', 'utf8')).toBe('User-agent: *\nDisallow: /\n');
});

it('every page links the manifest and names the colour of the browser around it, light and dark (B785)', async () => {
  const html = await (await handleRequest(getRequest('/login'))).text();
  expect(html).toContain('<link rel="manifest" href="/manifest.webmanifest"/>');
  expect(html).toContain('<link rel="apple-touch-icon" href="/apple-touch-icon.png"/>');
  expect(html.match(/<meta name="theme-color"/g)).toHaveLength(2);
});
