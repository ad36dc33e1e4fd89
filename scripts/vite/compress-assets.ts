import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const FOLDER = 'build/client';
const ASSETS = path.join(FOLDER, 'assets');
const MANIFEST = /^manifest-.*\.js$/;
const FETCHED = /^routes\/(api\.|photos\.|calendar\.|unsent\.|healthz|readyz|manifest\[|sw\[|\[\.\])/;
const COMPRESSIBLE = /\.(js|css|svg|txt)$/;
/** Size below which an answer's headers weigh more than what compression takes away. */
const MIN_BYTES = 200;

const compressions = {
  br: (content: Buffer) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
  gz: (content: Buffer) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
};

/** Writes 'x.js.br' and 'x.js.gz' beside each file for browsers, once the server's build has added the list of routes. */
export const compressAssets: Plugin = {
  name: 'compress-assets',
  closeBundle: {
    order: 'post',
    sequential: true,
    async handler() {
      await shortenManifest();
      const files = await readdir(FOLDER, { recursive: true });
      await Promise.all(files.filter((file) => COMPRESSIBLE.test(file)).map(compressFile));
    },
  },
};

/** Leaves out routes that no link within the app leads to: calls, photos and probes are fetched as files. */
async function shortenManifest(): Promise<void> {
  const [name] = (await readdir(ASSETS)).filter((file) => MANIFEST.test(file));
  if (name === undefined) throw new Error('The build has no list of routes.');
  const file = path.join(ASSETS, name);
  const [start = '', json = '', end = ''] = (await readFile(file, 'utf8')).split(/(\{.*\})/s);
  const manifest: { routes: Record<string, object> } = JSON.parse(json);
  const routes = Object.entries(manifest.routes).filter(([id]) => !FETCHED.test(id));
  const shorter = { ...manifest, routes: Object.fromEntries(routes) };
  const text = JSON.stringify(shorter, (name, value: unknown) =>
    value === false || name === 'css' ? undefined : value,
  );
  await writeFile(file, `${start}${text}${end}`);
}

async function compressFile(name: string): Promise<void> {
  const file = path.join(FOLDER, name);
  const content = await readFile(file);
  if (content.length < MIN_BYTES) return;
  for (const [ending, compress] of Object.entries(compressions)) {
    const compressed = await compress(content);
    if (compressed.length < content.length) await writeFile(`${file}.${ending}`, compressed);
  }
}
