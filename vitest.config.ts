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
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['tests/{unit,domain,http,api,meters}/**/*.test.{ts,tsx}'],
        },
      },
    ],
  },
});
