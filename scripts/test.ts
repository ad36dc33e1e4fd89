import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { ensureBuild } from './launcher/build.ts';
import { ensureChromium } from './test/chromium.ts';

/** Stage two of `npm test` and `npm run test:all`: browser, build, checks, tests; words after `--` go to vitest. */
const REPORT = 'test-results/report.json';
/** The option gives young objects room, which are then collected less often. */
const NODE_OPTIONS = ['--max-semi-space-size=64'];
const VITEST = 'node_modules/vitest/vitest.mjs';

// The checks run beside the tests, whose waits leave a core idle at times.
const checks = [
  check('types and lint', () => run('node_modules/oxlint/bin/oxlint', '-c', 'oxlint.config.js')),
  check('formatting', () => run('node_modules/oxfmt/bin/oxfmt', '--check')),
  check('unused code', () => run('node_modules/knip/bin/knip.js')),
  check('lines', () => run('scripts/conformance.mjs', '--strict', '--missing')),
];
const needed = await Promise.all([check('browser', ensureChromium), check('build', ensureBuild)]);
const tests = await runTests(process.argv.slice(2));
const steps = [...needed, ...(await Promise.all(checks))];

const passed = steps.filter(Boolean).length + tests.passed;
const failed = steps.filter((step) => !step).length + tests.failed;
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

async function check(step: string, work: () => Promise<unknown>): Promise<boolean> {
  const outcome = await work().then(
    () => 'ok',
    (error: unknown) => `failed: ${error instanceof Error ? error.message : String(error)}`,
  );
  console.log(`  ${step.padEnd(14)} ${outcome}`);
  return outcome === 'ok';
}

async function runTests(args: string[]): Promise<{ passed: number; failed: number }> {
  await rm(REPORT, { force: true });
  const options = ['--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`];
  const broken = await run(VITEST, 'run', ...options, ...args).then(
    () => 0,
    () => 1,
  );
  const report = await readFile(REPORT, 'utf8').then(JSON.parse, () => undefined);
  const counted = { passed: report?.numPassedTests ?? 0, failed: report?.numFailedTests ?? 0 };
  // The sum counts a file that cannot be loaded, or an error outside of a test, as failed.
  return { ...counted, failed: Math.max(counted.failed, broken) };
}

async function run(...args: string[]): Promise<void> {
  const child = spawn(process.execPath, [...NODE_OPTIONS, ...args], { stdio: 'inherit' });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`exit code ${code}`);
}
