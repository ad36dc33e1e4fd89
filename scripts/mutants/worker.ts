import { type TestCase, createVitest } from 'vitest/node';

export interface RunRequest {
  files: string[];
  changed?: string;
}

export interface CloseRequest {
  close: true;
}

/** `stuck`: the run has not ended after its failure, and the process is of no further use. */
export type TestReply = { kind: 'passed' } | { kind: 'failed'; failure: string; stuck: boolean };

/** What a run may take to end once a test has failed. */
const END_LIMIT_MS = 15_000;

// One vitest for all runs, because starting it, and Postgres, takes longer than most runs.
const vitest = await createVitest(
  'test',
  {
    watch: false,
    bail: 1,
    reporters: [
      {
        onTestCaseResult: (test) => {
          if (test.result().state === 'failed') onFailure(nameOf(test));
        },
      },
    ],
    project: ['unit', 'isolated'],
    maxWorkers: 1,
  },
  // The default is in node_modules, which belongs to the checkout.
  { cacheDir: '.vite' },
);
let lastChanged: string | undefined;
let onFailure = (_test: string) => {};

process.on('message', (request: RunRequest | CloseRequest) => {
  void ('close' in request ? close() : runUntilFailure(request).then((reply) => process.send?.(reply), fail));
});
process.on('disconnect', () => void close());
process.send?.('ready');

/** After a failure does not wait long for hooks that a mutation may keep waiting. */
function runUntilFailure(request: RunRequest): Promise<TestReply> {
  const failed = new Promise<TestReply>((resolve) => {
    onFailure = (failure) => {
      setTimeout(resolve, END_LIMIT_MS, { kind: 'failed', failure, stuck: true }).unref();
    };
  });
  return Promise.race([run(request), failed]);
}

async function run({ files, changed }: RunRequest): Promise<TestReply> {
  for (const file of [lastChanged, changed]) if (file) vitest.invalidateFile(file);
  lastChanged = changed;

  const specifications = await vitest.globTestSpecifications(files);
  const found = new Set(specifications.map(({ moduleId }) => moduleId));
  const missing = files.filter((file) => ![...found].some((moduleId) => moduleId.endsWith(`/${file}`)));
  if (missing.length > 0) throw new Error(`vitest does not find ${missing.join(', ')}`);

  const { testModules } = await vitest.runTestSpecifications(specifications, false);
  const modules = testModules.filter(({ moduleId }) => found.has(moduleId));
  const failures = modules.flatMap((module) => [
    ...module.errors().map(({ message }) => `${module.relativeModuleId}: ${message}`),
    ...[...module.children.allTests('failed')].map((test) => nameOf(test)),
    ...[...module.children.allSuites()].flatMap((suite) =>
      suite.errors().map(({ message }) => `${module.relativeModuleId}: ${message}`),
    ),
  ]);
  if (failures[0] !== undefined) return { kind: 'failed', failure: failures[0], stuck: false };
  if (modules.length < found.size) throw new Error('vitest has not run every file');
  return { kind: 'passed' };
}

function nameOf(test: TestCase): string {
  return `${test.module.relativeModuleId}: ${test.fullName}`;
}

async function close(): Promise<void> {
  await vitest.close();
  process.exit();
}

function fail(error: unknown): void {
  console.error(error);
  process.exit(1);
}
