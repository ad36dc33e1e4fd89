import { execFile, type ExecFileOptions, spawn } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { once } from 'node:events';
import { findChromium, OWN_CHROMIUM } from '#tests/support/browser.ts';
import { ensureBuild } from './launcher/build.ts';

/** Debian's packages, the lighter one first. */
const DEBIAN_PACKAGES = ['chromium-headless-shell', 'chromium'];
/** The package has its binary inside; newer ones want a newer Node. */
const NPM_PACKAGE = '@sparticuz/chromium@138.0.2';

const runFile = promisify(execFile);

/** Sets CHROMIUM_PATH to the system's Chromium, else to Debian's package if root, else to one from npm. */
async function ensureChromium(): Promise<void> {
  if (!findChromium() && !(await installByApt())) await installByNpm(path.dirname(path.resolve(OWN_CHROMIUM)));
  process.env.CHROMIUM_PATH = findChromium();
}

async function installByApt(): Promise<boolean> {
  if (process.getuid?.() !== 0) return false;
  const apt = (...words: string[]) =>
    tryToRun('apt-get', words, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  if (!(await apt('update'))) return false;
  for (const name of DEBIAN_PACKAGES) {
    await apt('install', '--yes', '--no-install-recommends', name, 'fonts-liberation');
    if (findChromium()) return true;
  }
  return false;
}

async function tryToRun(command: string, words: string[], options: ExecFileOptions): Promise<boolean> {
  return runFile(command, words, options).then(
    () => true,
    () => false,
  );
}

/** Installs Chromium in a folder of our own, with the libraries that a bare machine lacks. */
async function installByNpm(folder: string): Promise<void> {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  await runFile('npm', ['install', '--prefix', folder, ...quiet, NPM_PACKAGE]);
  const unpacked = path.join(folder, 'unpacked');
  await mkdir(unpacked, { recursive: true });
  // The package unpacks the libraries only on AWS Lambda.
  const env = { ...process.env, TMPDIR: unpacked, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' };
  const unpack = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";
  await runFile(process.execPath, ['--input-type=module', '-e', unpack], { cwd: folder, env });
  const script = [
    '#!/bin/sh',
    `export LD_LIBRARY_PATH='${unpacked}/al2023/lib' FONTCONFIG_PATH='${unpacked}/fonts'`,
    `exec '${unpacked}/chromium' "$@"`,
  ];
  await writeFile(OWN_CHROMIUM, `${script.join('\n')}\n`, { mode: 0o755 });
}

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
