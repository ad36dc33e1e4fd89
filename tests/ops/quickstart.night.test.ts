import { statSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clone, type Clone } from '#tests/support/clone.ts';
import { listen } from '#tests/support/listen.ts';
import { allGone, kill, listenersOn, processesOf } from '#tests/support/processes.ts';
import { addressOf, type Program, start } from '#tests/support/program.ts';

const AS_ROOT = process.getuid?.() === 0;
const NOBODY = 65534;

/** A clone in which nothing was ever built or started, and its first start, by an ordinary user. */
let fresh: Clone;
let first: Program;
let url: string;
const clones: Clone[] = [];
beforeAll(async () => {
  fresh = await newClone();
  if (AS_ROOT) fresh.give(NOBODY);
  // npm keeps its logs at home, which must not show in git.
  const HOME = path.join(fresh.folder, 'node_modules');
  first = AS_ROOT ? quickstart(fresh, { HOME }, NOBODY) : quickstart(fresh);
  await untilReady(first);
});
afterAll(async () => {
  for (const { folders, remove } of clones) {
    // Whatever a failed test has left.
    for (const { pid } of processesOf(...folders())) kill(pid);
    await remove();
  }
});

describe('the first npm run quickstart in a clone', () => {
  it('the first quickstart in a clone builds, starts its database, migrates, seeds, serves, and says how to sign in', async () => {
    expect(first.output()).toMatch(/packages +in place\n *build +building, half a minute or so\n *build +built\n/);
    expect(first.output()).toMatch(
      /database +its own Postgres, in \.data\n *schema +\d+ migrations run\n *school +the demo/,
    );
    expect(first.output()).toContain(`Flightline is ready on ${url} `);
    for (const name of ['admin', 'instructor', 'student']) {
      expect(first.output()).toMatch(new RegExp(`${name} +flightline-demo`));
      expect(await signIn(name), name).toBe('/');
    }
    expect(fresh.status()).toBe('');
  });

  it('quickstart listens for this machine alone', () => {
    expect(listenersOn(Number(new URL(url).port))).toEqual(['0100007F']);
  });

  it.runIf(AS_ROOT)('quickstart runs its database as the ordinary user who starts it', () => {
    const [postgres] = processesOf(...fresh.folders()).filter(({ command }) => command.includes('postgres'));
    expect(statSync(`/proc/${postgres?.pid}`).uid).toBe(NOBODY);
  });
});

describe('npm run quickstart in a clone that is built', () => {
  let place: Clone;
  let running: Program | undefined;
  beforeAll(async () => {
    await end(fresh, first, 'SIGTERM');
    place = AS_ROOT ? await newClone() : fresh;
    if (AS_ROOT) await fresh.copyBuildTo(place);
  });

  /** The one that an earlier test has left running, or a new one. */
  async function ready(): Promise<Program> {
    if (!running) {
      running = quickstart(place);
      await untilReady(running);
    }
    return running;
  }

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'quickstart ends on %s without a process left, and the next one finds everything in place',
    async (signal) => {
      const ended = await ready();
      running = undefined;
      await end(place, ended, signal);
      const { output } = await ready();
      expect(output()).toMatch(/build +unchanged[^]*schema +up to date\n *school +already there/);
    },
  );

  it('quickstart starts again after kill -9 of everything, twice, and of all but its database', async () => {
    for (const keepsDatabase of [false, false, true]) {
      const killed = await ready();
      expect(await signIn('student')).toBe('/');
      running = undefined;
      for (const { pid, command } of processesOf(...place.folders()))
        if (!keepsDatabase || !command.includes('postgres')) kill(pid);
      await killed.ended();
      if (!keepsDatabase) expect(await allGone(...place.folders())).toBe(true);
    }
    await ready();
    expect(await signIn('student')).toBe('/');
  });

  it('quickstart names the port when somebody else has it, and starts nothing', async () => {
    if (running) await end(place, running, 'SIGTERM');
    running = undefined;
    const other = createServer();
    const { port } = new URL(await listen(other));
    const program = quickstart(place, { PORT: port });
    expect(await program.ended()).toBe(1);
    expect(program.output()).toContain(`Port ${port} is taken`);
    expect(processesOf(...place.folders())).toEqual([]);
    other.close();
  });
});

async function newClone(): Promise<Clone> {
  const made = await clone();
  clones.push(made);
  return made;
}

/** As npm runs it; a newcomer's folder, port and nothing else set. */
function quickstart({ folder }: Clone, env: Record<string, string> = {}, uid?: number): Program {
  return start('npm', ['run', '--silent', 'quickstart'], { cwd: folder, env: { PORT: '0', ...env }, uid });
}

async function untilReady(program: Program): Promise<void> {
  await program.prints('Ctrl-C stops it');
  url = await addressOf(program);
}

/** Sends the signal to the server itself, past npm, as Ctrl-C in a terminal reaches it. */
async function end({ folders }: Clone, program: Program, signal: NodeJS.Signals): Promise<void> {
  const [server] = processesOf(...folders()).filter(({ command }) => /^\S*node .*quickstart\.mjs/.test(command));
  if (!server) throw new Error('no server runs');
  process.kill(server.pid, signal);
  await program.ended();
  expect(await allGone(...folders())).toBe(true);
}

/** Where the sign-in leads; the form as a browser without script posts it. */
async function signIn(username: string): Promise<string | null> {
  const answer = await fetch(`${url}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url },
    body: new URLSearchParams({ username, password: 'flightline-demo' }),
  });
  return answer.headers.get('location');
}
