import { vitePlugin as remix } from '@remix-run/dev';
import { defineConfig } from 'vite';
import remixConfig from './remix.config.js';

declare module '@remix-run/node' {
  interface Future {
    v3_singleFetch: true;
  }
}

/** What most screens are made of comes in one piece: it packs better than forty, and is there for the next screen. */
const SHARED = /\/app\/(components\/[^/]+|paths|domain\/(texts|reading))\.tsx?$/;
const inOnePiece = { manualChunks: (id: string) => (SHARED.test(id) ? 'shared' : undefined) };

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [remix(remixConfig)],
  build: {
    rollupOptions: isSsrBuild ? {} : { output: inOnePiece },
    target: 'es2022',
    assetsInlineLimit: 0,
    // Four kilobytes less over a bad link than the quicker minifier leaves.
    minify: 'terser',
    terserOptions: { module: true, ecma: 2020, compress: { passes: 3, pure_getters: true, unsafe_arrows: true } },
  },
}));
