import { vitePlugin as remix } from '@remix-run/dev';
import { defineConfig, type Rollup } from 'vite';
import remixConfig from './remix.config.js';

declare module '@remix-run/node' {
  interface Future {
    v3_singleFetch: true;
  }
}

/** Importers from which on a module comes with the shared ones instead of with each screen. */
const MANY = 3;

/**
 * Three kinds of files: the framework, which stays cached from release to release; what many screens are made of, in one
 * piece because that packs better than forty; and each screen's own.
 */
const manualChunks: Rollup.ManualChunksOption = (id, { getModuleInfo }) => {
  if (id.includes('/node_modules/')) return 'framework';
  const importers = getModuleInfo(id)?.importers.length ?? 0;
  return id.includes('/app/') && importers >= MANY ? 'shared' : undefined;
};

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [remix(remixConfig)],
  build: {
    rollupOptions: isSsrBuild ? {} : { output: { manualChunks } },
    target: 'es2022',
    assetsInlineLimit: 0,
    // Four kilobytes less over a bad link than the quicker minifier leaves.
    minify: 'terser',
    terserOptions: { module: true, ecma: 2020, compress: { passes: 3, pure_getters: true, unsafe_arrows: true } },
  },
}));
