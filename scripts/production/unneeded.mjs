import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** Packages and files that only a build, a browser or an editor reads, by their path in node_modules. */
const UNNEEDED = [
  /^typescript\//,
  /\.map$/,
  /\.d\.[cm]?ts$/,
  // The server loads the build for WebAssembly without threads of a browser or a graphics card.
  /^onnxruntime-web\/dist\/(?!ort\.wasm\.|ort-wasm-simd-threaded\.(wasm|mjs)$)/,
  /^zod\/src\//,
  /^tesseract\.js\/docs\//,
  /^@zxing\/text-encoding\/(umd|es2015)\//,
  /^tesseract\.js-core\/tesseract-core(?!.*-lstm\.)/,
  /^@tesseract\.js-data\/eng\/4\.0\.0\//,
];

/** Removes those files and returns the bytes of the rest. */
export async function removeUnneeded(folder) {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file).split(path.sep).join('/');
    if (UNNEEDED.some((pattern) => pattern.test(name))) await rm(file);
    else bytes += (await stat(file)).size;
  }
  return bytes;
}
