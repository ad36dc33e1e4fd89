import { defineConfig } from 'vitest/config';

const shared = {
  setupFiles: ['tests/support/environment.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
};

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
          // Cheaper to start than processes, which the other projects' servers and browsers are anyway.
          pool: 'threads',
          include: ['tests/{unit,domain,http,api,meters}/**/*.test.{ts,tsx}'],
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
