import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/{unit,domain,http,api,meters}/**/*.test.{ts,tsx}'],
          globalSetup: ['tests/support/postgres.setup.ts'],
          setupFiles: ['tests/support/environment.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
