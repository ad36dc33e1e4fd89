import { defineConfig } from 'vite';

/** Bundles what `npm start` runs before the app. */
export default defineConfig({
  publicDir: false,
  logLevel: 'error',
  ssr: { noExternal: ['kysely', 'zod'] },
  build: { ssr: 'scripts/launcher/start.ts', outDir: 'build/launcher', target: 'es2022' },
});
