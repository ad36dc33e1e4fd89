import { vitePlugin as remix } from '@remix-run/dev';
import { defineConfig, type Plugin, type Rollup } from 'vite';
import { compressAssets } from './scripts/vite/compress-assets.ts';
import { fixedFlags } from './scripts/vite/fixed-flags.ts';
import { inlineLimits } from './scripts/vite/inline-limits.ts';
import { serviceWorker } from './scripts/vite/service-worker.ts';
import remixConfig from './remix.config.js';

declare module '@remix-run/node' {
  interface Future {
    v3_singleFetch: true;
  }
}

/** Importers from which on a module comes with the shared ones instead of with each screen. */
const MANY = 3;

/** What only some screens are made of, by what they have in common. */
const PARTS: readonly [string, RegExp][] = [
  [
    'ends',
    /\/app\/(?:domain\/readings\/check-end|features\/meters\/end-readings\/(?!shown-reading|typed-hours)|features\/flights\/form\/)/,
  ],
  [
    'readings',
    /\/app\/(?:domain\/(?:readings|flights)\/|features\/(?:meters\/(?!reading\.tsx|save-scanned-reading-form)|flights\/check-out-confirmations)|ui\/forms\/(?:autosave-status|set-input-value))/,
  ],
  ['gone', /\/app\/(?:ui\/page\/not-saved-entries|features\/flights\/flight-conflict)/],
  ['flights', /\/app\/(?:domain\/reading\.ts|features\/(?:meters|flights)\/)/],
  ['aircraft', /\/app\/features\/(?:aircraft|squawks)\//],
  ['trail', /\/app\/ui\/page\/trail/],
  ['school', /\/app\/(?:ui\/page\/school-navigation|domain\/webhooks\/)/],
  ['codes', /\/app\/ui\/(?:qr-code|page\/shown-once)/],
  ['form', /\/app\/ui\/page\/(?:form-screen|gone-boundary)/],
  ['people', /\/app\/(?:features\/people\/|domain\/(?:roles|permissions))/],
  ['tables', /\/app\/ui\/data-table/],
  ['lists', /\/app\/ui\/(?:pager|neighbour-links|confirm-dialog|menu|breakable|forms\/filter-\w+)\b/],
];

/** Comes with the islands, and not with every page. */
const OF_ISLANDS = /\/node_modules\/@simplewebauthn\//;

/**
 * Three kinds of files: the framework, which stays cached from release to release; what many screens are made of, in a few
 * pieces because those pack better than forty; and each screen's own.
 */
const manualChunks: Rollup.ManualChunksOption = (id, { getModuleInfo }) => {
  if (id.includes('/node_modules/')) return OF_ISLANDS.test(id) ? undefined : 'framework';
  const importers = getModuleInfo(id)?.importers ?? [];
  // Islands come after the page, and only where they are used; parts of one screen come with it.
  if (!/\/app\/(?!islands\/|routes\/)/.test(id) || importers.length < 2) return undefined;
  if (importers.some((importer) => importer.endsWith('/app/root.tsx'))) return 'shared';
  const part = PARTS.find(([, files]) => files.test(id))?.[0];
  const isWhole = part === 'readings' || part === 'ends' || part === 'gone';
  return isWhole || importers.length >= MANY ? (part ?? 'shared') : undefined;
};

/** An island needs no style and hardly another file: what Vite adds to preload them would weigh more than waiting does. */
const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) => (id.endsWith('vite/preload-helper.js') ? 'export const __vitePreload = (load) => load();' : undefined),
};

/** remix-serve loads Remix's server build by way of a file of ours. */
const servedEntry: Plugin = {
  name: 'served-entry',
  config: (_config, { isSsrBuild }) =>
    isSsrBuild ? { build: { rollupOptions: { input: 'app/entry.serve.ts' } } } : undefined,
};

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    remix(remixConfig),
    servedEntry,
    plainImports,
    fixedFlags(),
    inlineLimits(),
    ...(isSsrBuild ? [serviceWorker, compressAssets] : []),
  ],
  // Packages of hundreds of files: read one by one, they would take half of the time that the server takes to start.
  ssr: {
    noExternal: ['kysely', 'zod', '@conform-to/react', '@conform-to/zod', '@conform-to/dom', '@simplewebauthn/server'],
  },
  build: {
    rollupOptions: isSsrBuild ? {} : { output: { manualChunks } },
    modulePreload: { resolveDependencies: () => [] },
    target: 'es2022',
    assetsInlineLimit: 0,
    // Four kilobytes less over a bad link than the quicker minifier leaves.
    minify: isSsrBuild ? 'esbuild' : 'terser',
    terserOptions: { module: true, ecma: 2020, compress: { passes: 3, pure_getters: true, unsafe_arrows: true } },
  },
}));
