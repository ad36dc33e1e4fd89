import { statSync } from 'node:fs';
import { Stryker } from '@stryker-mutator/core';

/**
 * `npm run mutants -- app/domain/squawks [test files]`: StrykerJS changes the code of one folder or file in a copy, a mistake
 * at a time, runs the tests that meet it, and prints what survived and the score. Results are kept for the next run.
 */
const KEPT_IN = 'test-results/mutants';

const [target = '', ...testFiles] = process.argv.slice(2);
const code = target.replace(/\/$/, '');

if (/^app\/(domain|server)\/./.test(code) && statSync(code, { throwIfNoEntry: false })) {
  const name = code.replaceAll(/[/.]/g, '-');
  await new Stryker({
    mutate: [statSync(code).isDirectory() ? `${code}/**/*.{ts,tsx}` : code],
    testFiles,
    testRunner: 'vitest',
    // Mutants in code that runs at import would need all tests anew, minutes each.
    ignoreStatic: true,
    incremental: true,
    incrementalFile: `${KEPT_IN}/${name}.json`,
    reporters: ['clear-text', 'progress', 'html'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    htmlReporter: { fileName: `${KEPT_IN}/${name}.html` },
    tempDirName: `${KEPT_IN}/copy`,
    ignorePatterns: ['/.data', '/build', '/test-results', '/training'],
    disableTypeChecks: false,
    // A busy machine may be slow; a mutant that never ends is found by how often it runs a line.
    timeoutMS: 10_000,
    dryRunTimeoutMinutes: 60,
  }).runMutationTest();
} else {
  console.error('Name a folder or file below app/domain or app/server: npm run mutants -- app/domain/squawks');
  process.exitCode = 1;
}
