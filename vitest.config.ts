import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/support/longest-first.ts';

/** `npm run test:all`: also what is left to the night, and all of what a list is tried with in part. */
const takesAll = process.env.EVERY === 'yes';
if (takesAll) process.env.SEED ??= String(Date.now() % 1_000_000);

/** `npm run test:changed`: a run reads what the one before has made of TypeScript. */
const keepsModules = process.env.KEEP_POSTGRES === 'yes';

const shared = {
  setupFiles: ['tests/support/environment.ts'],
  // A busy machine may be slow; no test fails for that.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000 } },
};

const served = {
  ...shared,
  // The files of a worker share one served app and one Chromium: tests/support/worker.ts.
  isolate: false,
  testTimeout: 900_000,
  hookTimeout: 900_000,
};

const FOLDERS = 'tests/{unit,domain,http,api,meters}';
/** Files that replace a module, stop the clock, read the settings anew or run the neural nets: modules fresh for each. */
const ISOLATED = `${FOLDERS}/**/*.isolated.test.ts`;
/** They guard against old mistakes more than against the change at hand. */
const NIGHT = takesAll ? [] : ['tests/**/*.night.*'];

export default defineConfig({
  test: {
    // Once for the whole run, whichever projects take part.
    globalSetup: ['tests/support/postgres.setup.ts'],
    // As many as the cores this is measured on: each has an app, a server and a browser to start.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // A worker ends with its server and browser, late where the machine is busy.
    teardownTimeout: 120_000,
    experimental: { fsModuleCache: keepsModules, fsModuleCachePath: `node_modules/.cache/vitest/${hashOfRoutes()}` },
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          pool: 'threads',
          // One import of the app and one database for each worker; what needs its own goes to 'isolated'.
          isolate: false,
          include: [`${FOLDERS}/**/*.test.{ts,tsx}`],
          exclude: [ISOLATED, ...NIGHT],
          setupFiles: [...shared.setupFiles, 'tests/support/shared-worker.setup.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'isolated',
          pool: 'forks',
          isolate: false,
          include: [ISOLATED],
          exclude: NIGHT,
          setupFiles: ['tests/support/fresh-modules.setup.ts', ...shared.setupFiles],
        },
      },
      // Hours of browser, for `npm run typed` alone.
      ...(process.env.npm_lifecycle_event === 'typed'
        ? [{ test: { ...served, name: 'typed', include: ['tests/typed/**/*.test.ts'] } }]
        : []),
      // The built app: as a process, and in a browser. A mutant is in no build.
      ...(process.env.npm_lifecycle_event === 'mutants'
        ? []
        : [
            {
              test: {
                ...served,
                name: 'served',
                include: ['tests/{ops,faults,journeys,accessibility,browsers}/**/*.test.ts'],
                exclude: NIGHT,
              },
            },
          ]),
    ],
  },
});

/** The cache does not see that a file has joined those of a glob: tests/support/routes.ts. */
function hashOfRoutes(): string {
  const names = readdirSync('app/routes', { recursive: true }).join();
  return createHash('sha256').update(names).digest('hex').slice(0, 12);
}
