import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { kill, processesOf } from '#tests/support/processes.ts';

const POSTGRES = '/usr/lib/postgresql';
export const PROGRAMS = {
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
};
export const OWNER = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined;

const ENVIRONMENT = {
  NODE_ENV: process.env.NODE_ENV,
  PATH: process.env.PATH,
  LC_ALL: 'C.UTF-8',
  HOME: '/tmp',
  TZ: 'UTC',
};

/** Finds the newest of Debian's Postgres that has the programs of a server. */
export function findPostgres(root = '/'): string | undefined {
  const parent = path.join(root, POSTGRES);
  const versions = existsSync(parent) ? readdirSync(parent) : [];
  const folders = versions
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => path.join(parent, version, 'bin'));
  return folders.find((folder) => existsSync(path.join(folder, 'pg_basebackup')));
}

/** Says which of Debian's packages for the drill are missing under `root`; undefined if none is. */
export function missingPackages({ isPlain, root = '/' }: { isPlain: boolean; root?: string }): string | undefined {
  const managed = Object.entries(PROGRAMS).filter(([, program]) => !existsSync(path.join(root, program)));
  const missing = [...(findPostgres(root) ? [] : ['postgresql']), ...(isPlain ? [] : managed.map(([name]) => name))];
  if (missing.length === 0) return undefined;
  return `The drill needs ${missing.join(', ')}: apt-get install --no-install-recommends ${missing.join(' ')}`;
}

/** Starts a program as Postgres' owner; its output goes to a file. */
export function launch(program: string, args: string[], log: string, env: Record<string, string> = {}): ChildProcess {
  const output = openSync(log, 'a');
  return spawn(program, args, {
    ...OWNER,
    cwd: '/',
    detached: true,
    env: { ...ENVIRONMENT, ...env },
    stdio: ['ignore', output, output],
  });
}

/** Ends all processes of the folder, which would outlive this one, and those that one of them starts meanwhile. */
export async function endAll(folder: string): Promise<void> {
  for (let left = processesOf(folder); left.length > 0; left = processesOf(folder)) {
    for (const { pid } of left) kill(pid);
    await sleep(50);
  }
}

/** Runs a program to its end. Throws what it printed. */
export async function runProgram(program: string, args: string[]): Promise<string> {
  const child = spawn(program, args, { ...OWNER, cwd: '/', env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${path.basename(program)} failed (${code}): ${output}`);
  return output;
}
