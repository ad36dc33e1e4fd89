import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/**
 * `npm run mutants -- app/domain/squawks [test files]`: StrykerJS changes the code of one folder or file in a copy, a mistake
 * at a time, runs the tests that meet it, and prints what survived and the score. Results are kept for the next run.
 */
const KEPT_IN = 'test-results/mutants';
/** 9.6 is the newest that runs on Node 20. */
const VERSION = '9.6.1';
/** Below the project's node_modules, where the runner finds the project's vitest. */
const INSTALLED_IN = path.resolve('node_modules/.cache', `stryker-${VERSION}`);

const [target = '', ...testFiles] = process.argv.slice(2);
const code = target.replace(/\/$/, '');

if (!/^app\/(domain|server)\/./.test(code) || !statSync(code, { throwIfNoEntry: false })) {
  fail('Name a folder or file below app/domain or app/server: npm run mutants -- app/domain/squawks');
} else if (await ensureStryker()) {
  await makeMutants();
} else {
  fail(
    `StrykerJS ${VERSION} is not installed with the project, and npm could not fetch it now. It needs a network once.`,
  );
}

/** Installs it unless it is there: it is a fifth of all files of an installation, and nothing else needs it. */
async function ensureStryker(): Promise<boolean> {
  // npm writes this file last.
  if (existsSync(path.join(INSTALLED_IN, 'node_modules/.package-lock.json'))) return true;
  const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${VERSION}`);
  const options = ['--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
  return promisify(execFile)('npm', ['install', '--prefix', INSTALLED_IN, ...options, ...packages]).then(
    () => true,
    () => false,
  );
}

async function makeMutants(): Promise<void> {
  const core = path.join(INSTALLED_IN, 'node_modules/@stryker-mutator/core/dist/src/index.js');
  const { Stryker }: StrykerCore = await import(pathToFileURL(core).href);
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
}

interface StrykerCore {
  Stryker: new (options: Record<string, unknown>) => { runMutationTest(): Promise<unknown> };
}

function fail(text: string): void {
  console.error(text);
  process.exitCode = 1;
}
