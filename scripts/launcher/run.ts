import { shutDown } from '#app/server/remix-serve/shutdown.server.ts';
import { StartupError } from '#db/startup-error.ts';

let ending: Promise<void> | undefined;

/** A command: runs `work`, then stops whatever it started. A failure is a sentence and exit code 1. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  outliveReaders();
  endOnSignals(130);
  await work().then(() => end(0), fail);
}

/** A server: `start` returns once it serves, and it ends on SIGINT or SIGTERM (exit code 0) or by a failure (1). */
export async function runServer(start: () => Promise<void>): Promise<void> {
  outliveReaders();
  endOnSignals();
  endWithNpm();
  await start().then(() => endOnSignals(), fail);
}

/** Whoever read our output may leave before us: a line nobody reads is no failure, least of all one to tell of. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

/** Whoever listened before (remix-serve closes its listener and no more) gives way. */
function endOnSignals(code = 0): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal);
    process.on(signal, () => void end(code));
  }
  process.removeAllListeners('uncaughtException').on('uncaughtException', fail);
}

/** `kill -9` of npm would leave the server it runs without a master; a server started by hand has none to lose. */
function endWithNpm(): void {
  if (!process.env.npm_lifecycle_event) return;
  const npm = process.ppid;
  setInterval(() => process.ppid !== npm && void end(0), 500).unref();
}

function fail(error: unknown): Promise<void> {
  // What stands in people's way is said in a sentence; a fault of ours with its place.
  console.error(error instanceof StartupError ? `\n${error.message}` : error);
  return end(1);
}

function end(code: number): Promise<void> {
  return (ending ??= shutDown().then((errors) => {
    for (const error of errors) console.error(error);
    process.exit(code);
  }));
}
