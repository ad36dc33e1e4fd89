import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { startVitest } from 'vitest/node';
import { pathsOf } from '#tests/support/screen-routes.ts';

const IMPORTS = /(?:from|import\()\s*'((?:\.{1,2}|#app|#db|#tests)\/[^'?]+)/g;

/**
 * Returns the test files that changed files concern: those that import one of them, in any way but by a support of many
 * tests, and those that ask a route which does. Vitest's own `related` would name every test that may ask for any
 * route.
 */
function findRelatedTests(changed: readonly string[]): string[] {
  const importers = findImporters();
  const reached = new Set(changed);
  for (const file of reached) {
    const isSupport = file.startsWith('tests/support/') && !changed.includes(file);
    if (!isSupport) for (const importer of importers.get(file) ?? []) reached.add(importer);
  }
  const addresses = [...reached].filter(isRoute).flatMap(pathsOf).map(toPattern);
  const asks = (file: string) => {
    const text = readFileSync(file, 'utf8');
    return addresses.some((address) => address.test(text));
  };
  return listFiles('tests').filter((file) => isTest(file) && (reached.has(file) || asks(file)));
}

/** Returns for each file those that import it. */
function findImporters(): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const file of ['app', 'db', 'scripts', 'tests'].flatMap(listFiles)) {
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(IMPORTS)) {
      const imported = specifier.startsWith('#')
        ? specifier.slice(1)
        : path.posix.join(path.posix.dirname(file), specifier);
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  return importers;
}

/** Makes the pattern of a route as tests name it: '/squawks/:id' is asked for as `/squawks/${id}`. */
function toPattern(address: string): RegExp {
  const segments = address
    .split('/')
    .map((segment) =>
      /^[:*]/.test(segment) ? String.raw`[^/'"\`]+` : segment.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
    );
  return new RegExp(String.raw`['"\`}]${segments.join('/')}(?=['"\`?])`);
}

function isRoute(file: string): boolean {
  return /^app\/routes\/(?:[^/]+\.tsx?|[^/]+\/route\.tsx?)$/.test(file);
}

function isTest(file: string): boolean {
  return /^tests\/(?:unit|domain|http|api|meters)\/.*\.test\.tsx?$/.test(file) && !file.includes('.night.');
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|mjs)$/.test(entry.name))
    .map((entry) => path.posix.join(entry.parentPath, entry.name));
}

/**
 * `npm run test:changed`: lints the files that differ from HEAD, or from the commit that is named, and runs the tests
 * that they concern; `npm run test:changed -- FILE …` takes these files. Its Postgres goes on, for the next run.
 */
const words = process.argv.slice(2);
const named = words.filter((word) => existsSync(word));
const [base = 'HEAD'] = words.filter((word) => !existsSync(word));
const changed = named.length > 0 ? named : changedFiles(base);
const linting = lint(changed.filter((file) => /\.(ts|tsx|js|mjs)$/.test(file)));
const tests = findRelatedTests(changed);
if (tests.length === 0) {
  console.log('No test is concerned.');
  process.exit(await linting);
}

process.env.KEEP_POSTGRES = 'yes';
// The built app is served by `npm test` alone.
const vitest = await startVitest('test', tests, { run: true, project: ['unit', 'isolated'], passWithNoTests: true });
const failed = vitest.state.getCountOfFailedTests() > 0 || vitest.state.getUnhandledErrors().length > 0;
await vitest.close();
process.exit(failed || process.exitCode || (await linting) ? 1 : 0);

function changedFiles(since: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
  return [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')].filter(
    existsSync,
  );
}

/** Lints the files and returns the exit code. */
async function lint(files: string[]): Promise<number> {
  if (files.length === 0) return 0;
  const oxlint = ['node_modules/oxlint/bin/oxlint', '-c', 'oxlint.config.js', ...files];
  const [code] = await once(spawn(process.execPath, oxlint, { stdio: 'inherit' }), 'close');
  return code;
}
