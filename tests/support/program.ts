import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import project from '../../package.json' with { type: 'json' };
import { withOwner } from './database-url.ts';

type Command = keyof typeof project.scripts;

export interface Program {
  pid: number;
  child: ChildProcessWithoutNullStreams;
  /** What it has printed so far. */
  output(): string;
  /** Waits until it has printed this, and gives the match; fails when it ends before. */
  prints(text: string | RegExp): Promise<RegExpMatchArray>;
  /** Waits for its end: the exit code, or the signal that ended it. */
  ended(): Promise<number | string>;
  /** Sends the signal to it alone and waits for its end. */
  end(signal: NodeJS.Signals): Promise<number | string>;
}

interface ProgramOptions {
  cwd?: string;
  /** On top of a bare environment: nothing of the test run's own settings. */
  env?: Record<string, string>;
  /** Written to its standard input, which is then closed. */
  input?: string;
  uid?: number;
}

/** Starts a program as a shell would. Whoever starts it ends it. */
export function start(command: string, args: string[], { cwd, env, input, uid }: ProgramOptions = {}): Program {
  const child = spawn(command, args, {
    cwd,
    env: { ...bareEnvironment(), ...withOwner(env) },
    ...(uid !== undefined && { uid, gid: uid }),
  });
  child.stdin.end(input ?? '');
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text));
  const gone = once(child, 'close').then(([code, signal]: (number | string | null)[]) => code ?? signal ?? '');
  return {
    pid: child.pid ?? 0,
    child,
    output: () => printed,
    prints: async (text) => {
      const match = await untilPrinted({ output: () => printed, child }, (all) => all.match(text));
      if (match) return match;
      throw new Error(`'${text}' was never printed:\n${printed}`);
    },
    ended: () => gone,
    end: (signal) => {
      child.kill(signal);
      return gone;
    },
  };
}

export function bareEnvironment(): NodeJS.ProcessEnv {
  const environment = { ...process.env };
  for (const name of Object.keys(environment)) {
    if (!['PATH', 'HOME', 'TMPDIR'].includes(name)) delete environment[name];
  }
  return environment;
}

interface Printing {
  output(): string;
  child: ChildProcess;
}

/** Where a server listens that was started with PORT=0: it prints its address. */
export async function addressOf(program: Printing): Promise<string> {
  const printed = await untilPrinted(program, (all) =>
    /(?:\[remix-serve\]|Local:) +http:\/\/(?:localhost|127\.0\.0\.1):(\d+)[ /]/.exec(all),
  );
  if (printed) return `http://localhost:${printed[1]}`;
  throw new Error(`The server ended:\n${program.output()}`);
}

/** Looks whenever more was printed; null once the program has ended without it. */
function untilPrinted(
  { output, child }: Printing,
  find: (all: string) => RegExpMatchArray | null,
): Promise<RegExpMatchArray | null> {
  const printed = find(output());
  if (printed || child.exitCode !== null || child.signalCode !== null) return Promise.resolve(printed);
  const streams = [child.stdout, child.stderr];
  return new Promise((resolve) => {
    const end = () => {
      for (const stream of streams) stream?.off('data', look);
      child.off('close', end);
      resolve(find(output()));
    };
    const look = () => find(output()) && end();
    for (const stream of streams) stream?.on('data', look);
    child.on('close', end);
  });
}

/** One of the project's programs, by its path, started as package.json does. */
export function startScript(script: string, args: string[] = [], options: ProgramOptions = {}): Program {
  const loader = script.endsWith('.ts') ? ['--import', 'tsx'] : [];
  return start(process.execPath, [...loader, script, ...args], options);
}

/** One of the operator's commands, by its name in package.json: from the bundle, where the build is current. */
export function startCommand(name: Command, args: string[] = [], options: ProgramOptions = {}): Program {
  const [, script = '', ...words] = project.scripts[name].split(' ');
  return start(process.execPath, [path.resolve(script), ...words, ...args], options);
}
