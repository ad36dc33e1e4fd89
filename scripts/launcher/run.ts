import { droppedPromisesChannel } from '#app/server/observability/dropped-promises.ts';
import { shutDown } from '#app/server/remix-serve/shutdown.server.ts';
import { StartupError, systemErrorText } from '#db/startup-error.ts';

let exiting: Promise<void> | undefined;

/** Runs a command to its end and exits: 0 or what it returns, 1 after an error, 130 after a signal. */
export async function runCommand(work: () => Promise<number | void>): Promise<void> {
  ignoreBrokenPipes();
  exitOnSignals(130);
  await work().then(
    (code) => exit(code ?? 0),
    (error: unknown) => fail(inWords(error)),
  );
}

/** Runs a server, whose `start` returns once it serves; exits with 0 after a signal, 1 after an error that nobody caught. */
export async function runServer(start: () => Promise<void>): Promise<void> {
  ignoreBrokenPipes();
  exitOnSignals();
  exitWithNpm();
  await start().then(
    () => {
      // It is set again, because remix-serve has added its own listener meanwhile.
      exitOnExceptions();
      outliveDroppedPromises();
    },
    (error: unknown) => fail(inWords(error)),
  );
}

/** Says what the database or the system says: the place in the code where it was heard helps no operator. */
function inWords(error: unknown): unknown {
  const isForDevelopers = process.env.LOG_LEVEL === 'debug' || process.env.NODE_ENV === 'development';
  if (error instanceof StartupError || isForDevelopers) return error;
  const message = error instanceof Error ? error.message : String(error);
  const words = systemErrorText(error) ?? `It failed: ${message}. With LOG_LEVEL=debug it also says where.`;
  return new StartupError(words, { cause: error });
}

/** Keeps a dropped promise from ending the process, and with it everybody's requests. Before it serves, it may end. */
function outliveDroppedPromises(): void {
  process.on('unhandledRejection', (error) => droppedPromisesChannel.publish(error));
}

/** Ignores a closed pipe: `npm start | head` closes it early, which is no reason to exit. */
function ignoreBrokenPipes(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

function exitOnSignals(code = 0): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void exit(code));
  exitOnExceptions();
}

function exitOnExceptions(): void {
  process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => void fail(error));
}

/** Exits when npm does: `kill -9` of npm would leave its server running. */
function exitWithNpm(): void {
  if (!process.env.npm_lifecycle_event) return;
  const npmPid = process.ppid;
  setInterval(() => process.ppid !== npmPid && void exit(0), 500).unref();
}

function fail(error: unknown): Promise<void> {
  console.error(error instanceof StartupError ? `\n${error.message}` : error);
  return exit(error instanceof StartupError ? error.exitCode : 1);
}

function exit(code: number): Promise<void> {
  return (exiting ??= shutDown().then((errors) => {
    for (const error of errors) console.error(error);
    process.exit(code);
  }));
}
