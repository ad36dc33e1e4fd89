import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import type { CloseRequest, RunRequest, TestReply } from './worker.ts';

export type TestResult = TestReply | { kind: 'timed out' };

/** Far more than a test file takes, on a busy machine as well. */
const FILE_LIMIT_MS = 2 * 60_000;
const CLOSE_LIMIT_MS = 30_000;

/** Runs test files in a process of its own, which a mutation that hangs cannot outlive. */
export function startTestRunner(tree: string) {
  let worker: ChildProcess | undefined;

  /** Runs the files after reading `changed` anew. The first failure ends a run. */
  async function run(files: string[], changed?: string): Promise<TestResult> {
    worker ??= await start();
    const reply = await ask(worker, { files, ...(changed && { changed }) });
    if (reply.kind === 'timed out' || (reply.kind === 'failed' && reply.stuck)) await kill();
    return reply;
  }

  async function start(): Promise<ChildProcess> {
    const started = fork(path.join(tree, 'scripts/mutants/worker.ts'), {
      cwd: tree,
      execArgv: ['--import', 'tsx'],
      env: { ...process.env, NODE_ENV: 'test', EVERY: 'yes' },
    });
    await receive(started);
    return started;
  }

  async function kill(): Promise<void> {
    const doomed = worker;
    worker = undefined;
    if (!doomed || doomed.exitCode !== null || doomed.signalCode !== null) return;
    const ended = new Promise((resolve) => doomed.once('exit', resolve));
    doomed.kill('SIGKILL');
    await ended;
  }

  async function close(): Promise<void> {
    const closing = worker;
    if (closing?.connected) {
      const ended = new Promise((resolve) => closing.once('exit', resolve));
      closing.send({ close: true } satisfies CloseRequest);
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, CLOSE_LIMIT_MS).unref())]);
    }
    await kill();
  }

  return { run, close };
}

async function ask(worker: ChildProcess, request: RunRequest): Promise<TestResult> {
  const limit = new Promise<TestResult>((resolve) => {
    setTimeout(resolve, request.files.length * FILE_LIMIT_MS, { kind: 'timed out' }).unref();
  });
  const reply = receive(worker);
  worker.send(request);
  return await Promise.race([reply, limit]);
}

function receive(worker: ChildProcess): Promise<TestReply> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`The test runner exited with ${code}.`));
    worker.once('exit', onExit);
    worker.once('message', (reply: TestReply) => {
      worker.off('exit', onExit);
      resolve(reply);
    });
  });
}
