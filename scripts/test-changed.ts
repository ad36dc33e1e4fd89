import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { startVitest } from 'vitest/node';
import { findRelatedTests } from './test/related-tests.ts';

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
