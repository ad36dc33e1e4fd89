import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import project from '../../package.json' with { type: 'json' };

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
    env: { ...bareEnvironment(), ...env },
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
      for (let isOver = false; ; await sleep(25)) {
        const match = printed.match(text);
        if (match) return match;
        if (isOver) throw new Error(`'${text}' was never printed:\n${printed}`);
        isOver = child.exitCode !== null || child.signalCode !== null;
      }
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

/** Where a server listens that was started with PORT=0: it prints its address. */
export async function addressOf({ output, child }: Pick<Program, 'output'> & { child: ChildProcess }): Promise<string> {
  for (;;) {
    const [, port] = /(?:\[remix-serve\]|Local:) +http:\/\/(?:localhost|127\.0\.0\.1):(\d+)[ /]/.exec(output()) ?? [];
    if (port !== undefined) return `http://localhost:${port}`;
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The server ended:\n${output()}`);
    await sleep(25);
  }
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
