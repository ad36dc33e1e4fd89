import { spawnSync } from 'node:child_process';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/support/longest-first.ts';

/** One for all workers; `drawn` takes it, and the run prints it. */
process.env.SEED ??= String(committedTreeSeed());

const shared = {
  setupFiles: ['tests/support/environment.ts'],
  // A busy machine may be slow; no test fails for that.
  testTimeout: 300_000,
  hookTimeout: 300_000,
};

const served = {
  ...shared,
  // The files of a worker share one served app and one Chromium: tests/support/worker.ts.
  isolate: false,
  testTimeout: 900_000,
  hookTimeout: 900_000,
};

/** Files that replace a module, stop the clock, read the settings anew or run the neural nets: modules fresh for each. */
const ISOLATED = 'tests/{unit,domain,http,api,meters}/**/*.isolated.test.ts';

export default defineConfig({
  test: {
    // Once for the whole run, whichever projects take part.
    globalSetup: ['tests/support/postgres.setup.ts'],
    // Two more than the two cores this is measured on: a worker often waits for a server, a browser or a mail.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // A worker ends with its server and browser, late where the machine is busy.
    teardownTimeout: 120_000,
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          pool: 'threads',
          // One import of the app and one database for each worker; what needs its own goes to 'isolated'.
          isolate: false,
          include: ['tests/{unit,domain,http,api,meters}/**/*.test.{ts,tsx}'],
          exclude: [ISOLATED],
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
              test: { ...served, name: 'served', include: ['tests/{ops,faults,journeys,accessibility}/**/*.test.ts'] },
            },
          ]),
    ],
  },
});

/** The same wherever a commit is tested, another one for the next; 1 where git cannot tell. */
function committedTreeSeed(): number {
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD^{tree}'], { encoding: 'utf8' });
  return Number.parseInt(String(stdout).slice(0, 8), 16) % 1_000_000 || 1;
}
