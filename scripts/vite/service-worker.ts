import { createHash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { build, type Plugin, type Rollup } from 'vite';

const SOURCE = 'app/service-worker/worker.ts';
const TARGET = 'build/service-worker.js';
const ASSETS = 'build/client/assets';

/** Builds the service worker, which names the files for browsers, once the server's build has added the list of routes. */
export const serviceWorker: Plugin = {
  name: 'service-worker',
  closeBundle: {
    order: 'post',
    sequential: true,
    async handler() {
      const assets = (await readdir(ASSETS)).filter((name) => /\.(js|css)$/.test(name)).toSorted();
      const built = await build({
        configFile: false,
        publicDir: false,
        logLevel: 'error',
        define: {
          BUILT_ASSETS: JSON.stringify(assets.map((name) => `/assets/${name}`)),
          BUILD_ID: JSON.stringify(createHash('sha256').update(assets.join()).digest('hex').slice(0, 12)),
        },
        build: {
          write: false,
          target: 'es2022',
          minify: 'terser',
          lib: { entry: SOURCE, formats: ['iife'], name: 'worker', fileName: 'worker' },
          rollupOptions: { treeshake: { moduleSideEffects: false } },
        },
      });
      await writeFile(TARGET, codeOf(built));
    },
  },
};

function codeOf(built: Awaited<ReturnType<typeof build>>): string {
  const outputs: Rollup.RollupOutput[] = [built].flat().filter((one) => 'output' in one);
  const [chunk] = outputs.flatMap(({ output }) => output);
  if (chunk?.type !== 'chunk') throw new Error('the service worker was not built');
  return chunk.code;
}
