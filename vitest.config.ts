import { defineConfig } from 'vitest/config';

const shared = {
  setupFiles: ['tests/support/environment.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
};

/** Files that replace a module, stop the clock or read the settings anew. */
const ISOLATED = 'tests/{unit,domain,http,api}/**/*.isolated.test.ts';

export default defineConfig({
  test: {
    // Once for the whole run, whichever projects take part.
    globalSetup: ['tests/support/postgres.setup.ts'],
    // Two cores: one for the tests, one for the servers and browsers they drive.
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          pool: 'threads',
          // One import of the app and one database for each worker; what needs its own goes to 'isolated'.
          isolate: false,
          include: ['tests/{unit,domain,http,api}/**/*.test.{ts,tsx}'],
          exclude: [ISOLATED],
          setupFiles: [...shared.setupFiles, 'tests/support/shared-worker.setup.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'isolated',
          pool: 'threads',
          include: ['tests/meters/**/*.test.ts', ISOLATED],
        },
      },
      // The built app as a process: launcher, signals, crashes.
      { test: { ...shared, name: 'ops', include: ['tests/{ops,faults}/**/*.test.ts'], testTimeout: 90_000 } },
      // The built app in a browser.
      {
        test: {
          ...shared,
          name: 'journeys',
          include: ['tests/{journeys,accessibility}/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
    ],
  },
});
