import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '#db/embedded/launch.ts';
import { type Mutation, findStaleEntries, readMutations } from './mutants/mutations.ts';
import { startTestRunner } from './mutants/test-runner.ts';

/**
 * `npm run mutants`: makes one mistake at a time in a copy of the working tree, in the fixed order of scripts/mutants/*.json,
 * and expects the tests named beside it to fail. Words after `--` choose by file or reason; `--verbose` prints every one.
 */
const REQUIRED_SHARE = 0.95;
const PROGRESS_EVERY = 25;

const args = process.argv.slice(2);
const verbose = args.includes('--verbose');
const words = args.filter((arg) => arg !== '--verbose');
const checkout = path.join(import.meta.dirname, '..');

const tree = await mkdtemp(path.join(tmpdir(), 'flightline-mutants-'));
const runner = startTestRunner(tree);
let cleaning: Promise<void> | undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(130)));
}
const passed = await runMutants().finally(cleanUp);
process.exit(passed ? 0 : 1);

async function runMutants(): Promise<boolean> {
  const mutations = (await readMutations()).filter(isChosen);
  if (mutations.length === 0) throw new Error(`No mutation has ${words.join(' ')} in its file or reason.`);
  await copyWorkingTree();
  const stale = await findStaleEntries(tree, mutations);
  for (const { mutation, problem } of stale) console.log(`stale     ${mutation.file}: ${problem}: ${mutation.why}`);
  if (stale.length > 0) return false;

  const killers = [...new Set(mutations.flatMap((mutation) => mutation.killers))].sort();
  console.log(`${mutations.length} mutations, ${killers.length} test files. First the tests alone.`);
  const unmutated = await runner.run(killers);
  if (unmutated.kind !== 'passed') {
    console.log(`The tests fail without any mutation: ${describe(unmutated)}`);
    return false;
  }
  return report(await runAll(mutations));
}

/** Every word occurs in the file or the reason. */
function isChosen(mutation: Mutation): boolean {
  return words.every((word) => `${mutation.file} ${mutation.why}`.toLowerCase().includes(word.toLowerCase()));
}

/** The tracked and the new files, with the installed packages linked. */
async function copyWorkingTree(): Promise<void> {
  const list = await promisify(execFile)('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: checkout,
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const file of new Set(list.stdout.split('\0').filter(Boolean))) {
    await mkdir(path.dirname(path.join(tree, file)), { recursive: true });
    await copyFile(path.join(checkout, file), path.join(tree, file)).catch(ignoreMissing);
  }
  await symlink(path.join(checkout, 'node_modules'), path.join(tree, 'node_modules'));
}

/** Git lists a deleted file until the deletion is staged. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

interface Outcome {
  mutation: Mutation;
  result: Awaited<ReturnType<typeof runner.run>>;
}

async function runAll(mutations: Mutation[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const mutation of mutations) {
    const start = Date.now();
    const result = await runMutated(mutation);
    outcomes.push({ mutation, result });
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    if (result.kind === 'passed') {
      console.log(`survived  ${mutation.file}: ${mutation.why} (${mutation.killers.join(', ')})`);
    } else if (verbose) {
      console.log(`died      ${mutation.file}: ${mutation.why} (${seconds} s; ${describe(result)})`);
    }
    if (outcomes.length % PROGRESS_EVERY === 0) console.log(`… ${outcomes.length} of ${mutations.length}`);
  }
  return outcomes;
}

async function runMutated({ file, find, replace, killers }: Mutation): Promise<Outcome['result']> {
  const target = path.join(tree, file);
  const source = await readFile(target, 'utf8');
  await writeFile(
    target,
    source.replace(find, () => replace),
  );
  try {
    return await runner.run(killers, target);
  } finally {
    await writeFile(target, source);
  }
}

function describe(result: Outcome['result']): string {
  if (result.kind === 'failed') return result.failure;
  return result.kind === 'timed out' ? 'time limit' : 'all tests pass';
}

function report(outcomes: Outcome[]): boolean {
  const died = outcomes.filter(({ result }) => result.kind !== 'passed').length;
  const timedOut = outcomes.filter(({ result }) => result.kind === 'timed out');
  for (const { mutation } of timedOut) console.log(`time limit ${mutation.file}: ${mutation.why}`);
  const share = died / outcomes.length;
  const byTimeLimit = timedOut.length > 0 ? `, ${timedOut.length} of them by the time limit` : '';
  console.log(`${died} of ${outcomes.length} mutations died (${(share * 100).toFixed(1)} %)${byTimeLimit}`);
  return share >= REQUIRED_SHARE;
}

function cleanUp(): Promise<void> {
  return (cleaning ??= removeTree());
}

async function removeTree(): Promise<void> {
  await runner.close();
  // A killed test runner leaves its Postgres running; the last one to release it stops it.
  const server = await startEmbeddedPostgres(path.join(tree, '.data/tests')).catch(() => undefined);
  await server?.stop();
  await rm(tree, { recursive: true, force: true, maxRetries: 5 });
}
