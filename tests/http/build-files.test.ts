import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { filesOf } from '#app/server/remix-serve/build-files.server.ts';
import { createFront } from '#app/server/remix-serve/front.server.ts';
import { frontSettings, listen } from '#tests/support/listen.ts';
import { sendRaw } from '#tests/support/raw.ts';

const ICON = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const FOR_EVER = 'public, max-age=31536000, immutable';

let folder: string;
let url: string;
let close: () => void;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'build-files-'));
  await writeFile(path.join(folder, 'icon.svg'), ICON);
  await writeFile(path.join(folder, 'icon.svg.br'), brotliCompressSync(ICON));
  const server = createFront(frontSettings, {
    sendFile: filesOf(folder),
    answer: ({ url: asked = '' }, response) => response.setHeader('content-length', asked.length).end(asked),
  });
  url = await listen(server);
  close = () => void server.close();
});
afterAll(async () => {
  close();
  await rm(folder, { recursive: true });
});

async function get(address: string, headers: string[] = []) {
  const lines = [`GET ${address} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers];
  const { status, text } = await sendRaw(url, `${lines.join('\r\n')}\r\n\r\n`);
  const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s);
  const pairs = head.split('\r\n').map((line) => line.split(/: (.*)/));
  const all = pairs.map(([name = '', value = '']): [string, string] => [name.toLowerCase(), value]);
  return { status, body, headers: Object.fromEntries(all) };
}

it('a file is sent as the build compressed it, or as it is, to be kept for ever (B835, B440)', async () => {
  const answer = await fetch(`${url}/icon.svg`, { headers: { 'accept-encoding': 'br' } });
  expect([await answer.text(), answer.headers.get('content-encoding')]).toEqual([ICON, 'br']);
  for (const accepted of ['br', 'identity']) {
    const { headers } = await get('/icon.svg', [`Accept-Encoding: ${accepted}`]);
    expect(headers).toMatchObject({
      'cache-control': FOR_EVER,
      'content-type': 'image/svg+xml; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
  }
});

it('a part that a file does not have is refused in plain words, and the refusal is not kept (B1191)', async () => {
  for (const accepted of ['br', 'identity']) {
    const { status, body, headers } = await get('/icon.svg', [`Accept-Encoding: ${accepted}`, 'Range: bytes=999-']);
    expect([status, body]).toEqual([416, 'Range Not Satisfiable.']);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-range': expect.stringMatching(/^bytes \*\/\d+$/),
    });
    expect(headers).not.toHaveProperty('content-encoding');
  }
});

it.each(['/icon', '/', '/none.svg', '/icon.svg/', '/../icon.txt'])(
  '%s is no file and goes on to Remix',
  async (address) => {
    expect((await get(address)).body).toBe(address);
  },
);
