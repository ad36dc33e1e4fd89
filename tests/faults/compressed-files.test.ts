import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { TestServer } from '#tests/support/server.ts';
import { sharedServer } from '#tests/support/worker.ts';

let server: TestServer;
let script: string;
let sheet: string;
beforeAll(async () => {
  server = await sharedServer();
  const html = (await get('/login')).body.toString();
  script = /\/assets\/framework-[\w-]+\.js/.exec(html)?.[0] ?? '';
  sheet = /\/assets\/styles-[\w-]+\.css/.exec(html)?.[0] ?? '';
});

interface Answer {
  status: number | undefined;
  headers: NodeJS.Dict<string | string[]>;
  body: Buffer;
}

/** The bytes as they are sent; fetch would decompress them. */
function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(server.url + path, { headers }, (answer) => {
      const { statusCode: status, headers: received } = answer;
      answer.toArray().then((parts) => resolve({ status, headers: received, body: Buffer.concat(parts) }), reject);
    });
    sent.once('error', reject).end();
  });
}

/** Names of charsets have no case. */
const lower = (header: unknown) => String(header).toLowerCase();

const ENCODINGS = [
  ['br, gzip', 'br', brotliDecompressSync],
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['br;q=0, gzip', 'gzip', gunzipSync],
  ['identity', undefined, (body: Buffer) => body],
] as const;

it('every browser gets the same script in the encoding that it takes, and parts and validators of that one (B835)', async () => {
  const whole = await get(script);
  const tags = new Map<string | undefined, unknown>();
  for (const [accepted, encoding, decode] of ENCODINGS) {
    const ask = (headers: Record<string, string> = {}) => get(script, { 'accept-encoding': accepted, ...headers });
    const encoded = await ask();
    expect([encoded.status, encoded.headers['content-encoding']], accepted).toEqual([200, encoding]);
    expect(decode(encoded.body).equals(whole.body)).toBe(true);
    expect(encoded.headers.vary).toContain('Accept-Encoding');
    expect(encoded.headers['content-length']).toBe(String(encoded.body.length));
    for (const name of ['content-type', 'cache-control', 'x-content-type-options', 'content-security-policy'])
      expect([name, lower(encoded.headers[name])]).toEqual([name, lower(whole.headers[name])]);
    expect(encoded.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const again = await ask({ 'if-none-match': String(encoded.headers.etag) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    const part = await ask({ range: 'bytes=10-19' });
    expect([part.status, part.headers['content-encoding']]).toEqual([206, encoding]);
    expect(part.body.equals(encoded.body.subarray(10, 20))).toBe(true);
    tags.set(encoding, encoded.headers.etag);
  }
  expect(new Set(tags.values()).size).toBe(3);
});

it('scripts and styles keep their types, and the build compressed them better than the server would (B835)', async () => {
  const types = { [script]: 'text/javascript; charset=utf-8', [sheet]: 'text/css; charset=utf-8' };
  for (const [path, type] of Object.entries(types)) {
    const { headers, body } = await get(path, { 'accept-encoding': 'br' });
    expect(lower(headers['content-type'])).toBe(type);
    expect(body.length).toBeLessThan((await get(path)).body.length / 3.4);
  }
});

it('a document that a browser opens from elsewhere carries the style sheet, and its policy the hash (B836)', async () => {
  for (const site of ['none', 'cross-site', 'same-site']) {
    const { headers, body } = await get('/login', { 'sec-fetch-dest': 'document', 'sec-fetch-site': site });
    const [, styles = ''] = /<style id="styles">(.*?)<\/style>/s.exec(body.toString()) ?? [];
    const hash = createHash('sha256').update(styles).digest('base64');
    expect(headers['content-security-policy']).toContain(`style-src 'self' 'sha256-${hash}';`);
    expect(styles.trim()).toBe((await get(sheet)).body.toString().trim());
    expect(body.toString()).toContain(`<link rel="prefetch" as="style" href="${sheet}"/>`);
    expect(body.toString()).not.toContain('rel="stylesheet"');
  }
});

it('a document that is reached from a page of the product, or by no browser, links the style sheet (B836)', async () => {
  const within = { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'same-origin' };
  for (const answer of [await get('/login', within), await get('/login')]) {
    expect(answer.body.toString()).toContain(`<link rel="stylesheet" href="${sheet}"/>`);
    expect(answer.body.toString()).not.toContain('<style');
    expect(answer.headers['content-security-policy']).toContain("style-src 'self';");
  }
});

it('no screen starts with more than 86 kB of script over the line, and the worker has 8 kB (B837, B872)', async () => {
  expect((await get('/sw.js', { 'accept-encoding': 'gzip' })).body.length).toBeLessThan(8000);
  const [name] = /\/assets\/manifest-[\w-]+\.js/.exec((await get('/login')).body.toString()) ?? [];
  const [json = '{}'] = /\{.*\}/s.exec((await get(name ?? '')).body.toString()) ?? [];
  const { entry, routes } = manifestSchema.parse(JSON.parse(json));
  const sizes = new Map<string, number>();
  const sizeOf = async (file: string) => {
    const size = sizes.get(file) ?? (await get(file, { 'accept-encoding': 'br' })).body.length;
    sizes.set(file, size);
    return size;
  };
  const common = [name ?? '', ...filesOf(entry), ...filesOf(routes.root)];
  const heavy: [string, number][] = [];
  for (const [id, route] of Object.entries(routes)) {
    let total = 0;
    for (const file of new Set([...common, ...filesOf(route)])) total += await sizeOf(file);
    if (total > 86_000) heavy.push([id, total]);
  }
  expect(Object.keys(routes).length).toBeGreaterThan(40);
  expect(heavy).toEqual([]);
});

const filesSchema = z.object({ module: z.string(), imports: z.array(z.string()) });
const manifestSchema = z.object({ entry: filesSchema, routes: z.object({ root: filesSchema }).catchall(filesSchema) });

function filesOf({ module, imports }: z.infer<typeof filesSchema>): string[] {
  return [module, ...imports];
}
