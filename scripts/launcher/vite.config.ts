import { defineConfig } from 'vite';

const COMMANDS = [
  'quickstart',
  'flightline',
  'db-migrate',
  'db-seed',
  'school-create',
  'audit-verify',
  'meters-export',
];

/** Bundles what `npm start` and `npm run quickstart` run before the app, the readers of meters and workbooks, and the commands of an operator. */
export default defineConfig({
  publicDir: false,
  logLevel: 'error',
  ssr: { noExternal: ['kysely', 'zod'] },
  build: {
    ssr: true,
    rollupOptions: {
      input: {
        start: 'scripts/launcher/start.ts',
        'meter-engine': 'app/domain/meters/engine/start-worker.js',
        'file-reader': 'app/domain/imports/files/start-reader.js',
        ...Object.fromEntries(COMMANDS.map((name) => [name, `scripts/${name}.ts`])),
      },
    },
    outDir: 'build/launcher',
    target: 'es2022',
  },
});
