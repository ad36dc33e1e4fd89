import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, type FileHandle, mkdtemp, open, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartupError } from '../startup-error.ts';
import type { ServerPaths } from './paths.ts';
import { isMissing } from './errors.ts';

/** Milliseconds a fast shutdown may take before the immediate one, which loses nothing but needs recovery. */
const FAST_SHUTDOWN = 2500;
/** Bytes; a longer log begins anew at the next start. */
const LONGEST_LOG = 1_000_000;

/** Makes the data folder once. A folder half-made by a killed start is never taken for a whole one. */
export async function initCluster(home: ServerPaths): Promise<void> {
  if (await stat(path.join(home.dataFolder, 'PG_VERSION')).catch(() => undefined)) return;
  const part = await mkdtemp(path.join(home.folder, 'new-'));
  if (home.owner) await chown(part, home.owner.uid, home.owner.gid);
  const options = ['--username=flightline', '--auth=trust', '--encoding=UTF8', '--locale=C'];
  const sorting = ['--locale-provider=icu', '--icu-locale=und'];
  await run(home, home.program.initdb, ['-D', part, ...options, ...sorting]);
  await rename(part, home.dataFolder).catch(async (error) => {
    // Another start was quicker; anything else is a fault.
    await rm(part, { recursive: true });
    if (!(await stat(home.dataFolder).catch(() => undefined))) throw error;
  });
}

/** Starts the server in a process group of its own: Ctrl-C in a terminal reaches the launcher only. */
export async function launchServer(home: ServerPaths, settings: Record<string, string>): Promise<ChildProcess> {
  await removeStaleLocks(home);
  const own = {
    listen_addresses: '',
    unix_socket_directories: home.socketFolder,
    unix_socket_permissions: '0700',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    // What people typed stays out of the server's log.
    log_min_error_statement: 'panic',
  };
  const options = Object.entries({ ...own, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = await openLog(home);
  try {
    const server = spawn(home.program.postgres, ['-D', home.dataFolder, ...options], {
      ...home.owner,
      cwd: '/',
      detached: true,
      env: environment,
      stdio: ['ignore', log.fd, log.fd],
    });
    await once(server, 'spawn');
    server.unref();
    return server;
  } finally {
    await log.close();
  }
}

/** Ends every connection and stops the server; returns when it is gone. */
export async function stopServer(home: ServerPaths): Promise<void> {
  const lock = path.join(home.dataFolder, 'postmaster.pid');
  const pid = await pidIn(lock);
  if (pid === undefined) return;
  signal(pid, 'SIGINT');
  if (await gone(lock, FAST_SHUTDOWN)) return;
  signal(pid, 'SIGQUIT');
  await gone(lock, 1000);
}

async function openLog({ logFile, owner }: ServerPaths): Promise<FileHandle> {
  const log = await open(logFile, 'a', 0o600);
  if (owner) await log.chown(owner.uid, owner.gid);
  if ((await log.stat()).size > LONGEST_LOG) await log.truncate();
  return log;
}

/** The last words of the server's log, for the error that says it would not start. */
export async function lastLogLines(home: ServerPaths): Promise<string> {
  const words = await readFile(home.logFile, 'utf8').catch(() => '');
  return words.trim().split('\n').slice(-5).join('\n');
}

/** Postgres' messages in English, and nothing else of ours: no locale, no PG* of somebody else's server. */
const environment = { NODE_ENV: process.env.NODE_ENV, PATH: process.env.PATH, LC_MESSAGES: 'C', TZ: 'UTC' };

async function run(home: ServerPaths, program: string, options: string[]): Promise<void> {
  const child = spawn(program, options, {
    ...home.owner,
    cwd: '/',
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new StartupError(`${path.basename(program)} failed (${code}): ${complaint.trim()}`);
}

/**
 * A machine that lost power leaves the locks of a server that is gone. Postgres clears them by itself unless their
 * process number now belongs to another program of the same user; that is told apart here.
 */
async function removeStaleLocks(home: ServerPaths): Promise<void> {
  for (const lock of [
    path.join(home.dataFolder, 'postmaster.pid'),
    path.join(home.socketFolder, '.s.PGSQL.5432.lock'),
  ]) {
    const command = await commandOf(await pidIn(lock));
    if (command !== undefined && !command.includes(home.dataFolder)) await rm(lock, { force: true });
  }
}

/** Undefined: no such process, or a system that does not tell. */
async function commandOf(pid: number | undefined): Promise<string | undefined> {
  return pid === undefined ? undefined : readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
}

async function pidIn(lock: string): Promise<number | undefined> {
  try {
    const pid = Number.parseInt(await readFile(lock, 'utf8'), 10);
    return pid > 0 ? pid : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has just ended by itself.
  }
}

async function gone(file: string, milliseconds: number): Promise<boolean> {
  for (const end = Date.now() + milliseconds; Date.now() < end; await sleep(20)) {
    if (!(await stat(file).catch(() => undefined))) return true;
  }
  return false;
}
