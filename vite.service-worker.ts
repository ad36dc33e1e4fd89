import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build, type Plugin, type Rollup } from 'vite';

const SOURCE = 'app/service-worker/worker.ts';
const TARGET = 'build/service-worker.js';

/** Builds the service worker of a build of the client, whose files it names; a route serves it. */
export const serviceWorker: Plugin = {
  name: 'service-worker',
  apply: 'build',
  async writeBundle(_options, bundle) {
    const assets = Object.keys(bundle).filter((name) => name.startsWith('assets/') && /\.(js|css)$/.test(name));
    if (assets.length === 0 || this.environment.config.build.ssr) return;
    const built = await build({
      configFile: false,
      publicDir: false,
      logLevel: 'error',
      define: {
        BUILT_ASSETS: JSON.stringify(assets.map((name) => `/${name}`).toSorted()),
        BUILD_ID: JSON.stringify(createHash('sha256').update(assets.toSorted().join()).digest('hex').slice(0, 12)),
      },
      build: {
        write: false,
        target: 'es2022',
        minify: 'terser',
        lib: { entry: SOURCE, formats: ['iife'], name: 'worker', fileName: 'worker' },
        rollupOptions: { treeshake: { moduleSideEffects: false } },
      },
    });
    await mkdir(path.dirname(TARGET), { recursive: true });
    await writeFile(TARGET, codeOf(built));
  },
};

function codeOf(built: Awaited<ReturnType<typeof build>>): string {
  const outputs: Rollup.RollupOutput[] = [built].flat().filter((one) => 'output' in one);
  const [chunk] = outputs.flatMap(({ output }) => output);
  if (chunk?.type !== 'chunk') throw new Error('the service worker was not built');
  return chunk.code;
}
