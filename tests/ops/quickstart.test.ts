import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { clone, type Clone } from '#tests/support/clone.ts';
import { allGone, listenersOn, processesOf } from '#tests/support/processes.ts';
import { type Program, start } from '#tests/support/program.ts';
import { freePort } from '#tests/support/server.ts';

let place: Clone;
let port: number;
let running: Program | undefined;

beforeAll(async () => {
  place = await clone();
  port = await freePort();
});
afterEach(async () => {
  await running?.end('SIGKILL');
  running = undefined;
});
afterAll(async () => {
  // Whatever a failed test has left.
  for (const { pid } of processesOf(...place.folders())) process.kill(pid, 'SIGKILL');
  await place.remove();
});

/** As npm runs it; a newcomer's folder, port and nothing else set. */
function quickstart(env: Record<string, string> = {}, { folder } = place, uid?: number): Program {
  return (running = start('npm', ['run', '--silent', 'quickstart'], {
    cwd: folder,
    env: { PORT: String(port), ...env },
    uid,
  }));
}

async function ready(): Promise<Program> {
  const program = quickstart();
  await program.prints('Ctrl-C stops it');
  return program;
}

describe('npm run quickstart', () => {
  it('builds, starts its database, migrates, seeds, serves, and says how to sign in', async () => {
    const { output } = await ready();
    expect(output()).toMatch(/packages +in place\n *build +checking\n *build +built\n/);
    expect(output()).toMatch(/database +its own Postgres, in \.data\n *schema +\d+ migrations run\n *school +the demo/);
    expect(output()).toContain(`Flightline is ready on http://localhost:${port}\n`);
    for (const name of ['admin', 'instructor', 'student']) {
      expect(output()).toMatch(new RegExp(`${name} +flightline-demo`));
      expect(await signIn(name), name).toBe('/');
    }
    expect(place.status()).toBe('');
  });

  it('listens for this machine alone', async () => {
    await ready();
    expect(listenersOn(port)).toEqual(['0100007F']);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('%s leaves no process behind', async (signal) => {
    const program = await ready();
    expect(program.output()).toMatch(/build +unchanged[^]*schema +up to date\n *school +already there/);
    endServer(place, signal);
    await program.ended();
    expect(await allGone(...place.folders())).toBe(true);
  });

  it('starts again after kill -9 of everything, twice', async () => {
    for (let round = 1; round <= 2; round += 1) {
      await ready();
      for (const { pid } of processesOf(...place.folders())) process.kill(pid, 'SIGKILL');
      await running?.ended();
      expect(await allGone(...place.folders())).toBe(true);
    }
    await ready();
    expect(await signIn('student')).toBe('/');
  });

  it('starts again beside the database that kill -9 of the app left running', async () => {
    await ready();
    for (const { pid, command } of processesOf(...place.folders())) {
      if (!command.includes('postgres')) process.kill(pid, 'SIGKILL');
    }
    await running?.ended();
    await ready();
    expect(await signIn('student')).toBe('/');
  });

  it('names the port when somebody else has it, and starts nothing', async () => {
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    const program = quickstart();
    expect(await program.ended()).toBe(1);
    expect(program.output()).toContain(`Port ${port} is taken`);
    expect(processesOf(...place.folders())).toEqual([]);
    other.close();
  });
});

describe.runIf(process.getuid?.() === 0)('npm run quickstart as an ordinary user', () => {
  it('works where root has nothing to do with it', async () => {
    const NOBODY = 65534;
    const own = await clone();
    try {
      own.give(NOBODY);
      const program = quickstart({ HOME: own.folder }, own, NOBODY);
      await program.prints('Ctrl-C stops it');
      expect(await signIn('student')).toBe('/');
      const [postgres] = processesOf(...own.folders()).filter(({ command }) => command.includes('postgres'));
      expect(statSync(`/proc/${postgres?.pid}`).uid).toBe(NOBODY);
      endServer(own, 'SIGTERM');
      expect(await allGone(...own.folders())).toBe(true);
    } finally {
      await own.remove();
    }
  });
});

/** To the server itself, past npm, as Ctrl-C in a terminal reaches it. */
function endServer({ folders }: Clone, signal: NodeJS.Signals): void {
  const [server] = processesOf(...folders()).filter(({ command }) => /^\S*node .*quickstart\.mjs/.test(command));
  if (!server) throw new Error('no server runs');
  process.kill(server.pid, signal);
}

/** Where the sign-in leads; the form as a browser without script posts it. */
async function signIn(username: string): Promise<string | null> {
  const url = `http://localhost:${port}`;
  const answer = await fetch(`${url}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url },
    body: new URLSearchParams({ username, password: 'flightline-demo' }),
  });
  return answer.headers.get('location');
}
