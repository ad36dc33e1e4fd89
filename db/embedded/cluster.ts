import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, type FileHandle, mkdtemp, open, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isFileNotFound, StartupError } from '../startup-error.ts';
import { sweepFoldersOfEndedProcesses } from '../whole-file.ts';
import { type ServerPaths, SUPERUSER } from './paths.ts';

const FAST_SHUTDOWN_MS = 2500;
const IMMEDIATE_SHUTDOWN_MS = 1000;
const MAX_LOG_BYTES = 1_000_000;
/** Line that Postgres logs for a connection attempted while it starts or stops; LC_MESSAGES keeps it untranslated. */
const REFUSED_CONNECTION = /FATAL: {2}the database system is /;

/** The environment has no locale, and no PG* variables meant for another server. */
const SERVER_ENV = { NODE_ENV: process.env.NODE_ENV, PATH: process.env.PATH, LC_MESSAGES: 'C', TZ: 'UTC' };

/** Creates the data folder once, by rename: of a killed start the next one removes the half-made one. */
export async function initCluster(paths: ServerPaths): Promise<void> {
  await sweepFoldersOfEndedProcesses(paths.folder, /^new-(\d+)-/);
  if (await stat(path.join(paths.dataFolder, 'PG_VERSION')).catch(() => undefined)) return;
  const temporary = await mkdtemp(path.join(paths.folder, `new-${process.pid}-`));
  if (paths.owner) await chown(temporary, paths.owner.uid, paths.owner.gid);
  const options = [`--username=${SUPERUSER}`, '--auth=trust', '--encoding=UTF8', '--locale=C'];
  const collation = ['--locale-provider=icu', '--icu-locale=und'];
  await runBinary(paths, paths.binaries.initdb, ['-D', temporary, ...options, ...collation]).catch(async (error) => {
    await rm(temporary, { recursive: true });
    throw error;
  });
  await rename(temporary, paths.dataFolder).catch(async (error) => {
    await rm(temporary, { recursive: true });
    const createdByAnotherStart = await stat(paths.dataFolder).catch(() => undefined);
    if (!createdByAnotherStart) throw error;
  });
}

/** Starts the server in its own process group, so that Ctrl-C in a terminal does not reach it. */
export async function launchServer(paths: ServerPaths, settings: Record<string, string>): Promise<ChildProcess> {
  await removeStaleLocks(paths);
  const defaults = {
    listen_addresses: '',
    unix_socket_directories: paths.socketFolder,
    unix_socket_permissions: '0700',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    // The setting keeps statements, and the personal data in them, out of the log.
    log_min_error_statement: 'panic',
  };
  const options = Object.entries({ ...defaults, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = await openLog(paths);
  try {
    const server = spawn(paths.binaries.postgres, ['-D', paths.dataFolder, ...options], {
      ...paths.owner,
      cwd: '/',
      detached: true,
      env: SERVER_ENV,
      stdio: ['ignore', log.fd, log.fd],
    });
    await once(server, 'spawn');
    server.unref();
    return server;
  } finally {
    await log.close();
  }
}

/** Returns true if a server runs, or has left its lock behind. */
export async function hasServer(paths: ServerPaths): Promise<boolean> {
  return (await readPid(path.join(paths.dataFolder, 'postmaster.pid'))) !== undefined;
}

/** Ends every connection and stops the server; returns when it has exited. */
export async function stopServer(paths: ServerPaths): Promise<void> {
  const lockFile = path.join(paths.dataFolder, 'postmaster.pid');
  const pid = await readPid(lockFile);
  if (pid === undefined) return;
  sendSignal(pid, 'SIGINT');
  if (await waitUntilRemoved(lockFile, FAST_SHUTDOWN_MS)) return;
  // Immediate shutdown loses nothing; the next start replays the log.
  sendSignal(pid, 'SIGQUIT');
  await waitUntilRemoved(lockFile, IMMEDIATE_SHUTDOWN_MS);
}

async function openLog({ logFile, owner }: ServerPaths): Promise<FileHandle> {
  const log = await open(logFile, 'a', 0o600);
  if (owner) await log.chown(owner.uid, owner.gid);
  if ((await log.stat()).size > MAX_LOG_BYTES) await log.truncate();
  return log;
}

/** Returns the log's last five lines, without those of connections that were refused meanwhile. */
export async function readLastLogLines({ logFile }: Pick<ServerPaths, 'logFile'>): Promise<string> {
  const content = await readFile(logFile, 'utf8').catch(() => '');
  const lines = content.trim().split('\n');
  return lines
    .filter((line) => !REFUSED_CONNECTION.test(line))
    .slice(-5)
    .join('\n');
}

async function runBinary(paths: ServerPaths, binary: string, options: string[]): Promise<void> {
  const child = spawn(binary, options, {
    ...paths.owner,
    cwd: '/',
    env: SERVER_ENV,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new StartupError(`${path.basename(binary)} failed (${code}): ${stderr.trim()}`);
}

/** Removes locks of servers that are gone: Postgres refuses to start if another program has their process id. */
async function removeStaleLocks(paths: ServerPaths): Promise<void> {
  for (const lockFile of [
    path.join(paths.dataFolder, 'postmaster.pid'),
    path.join(paths.socketFolder, '.s.PGSQL.5432.lock'),
  ]) {
    const command = await readCommandLine(await readPid(lockFile));
    if (command !== undefined && !command.includes(paths.dataFolder)) await rm(lockFile, { force: true });
  }
}

/** Returns the command line of a process; undefined if there is no such process or the system has no /proc. */
async function readCommandLine(pid: number | undefined): Promise<string | undefined> {
  return pid === undefined ? undefined : readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
}

async function readPid(lockFile: string): Promise<number | undefined> {
  try {
    const pid = Number.parseInt(await readFile(lockFile, 'utf8'), 10);
    return pid > 0 ? pid : undefined;
  } catch (error) {
    if (isFileNotFound(error)) return undefined;
    throw error;
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has exited meanwhile.
  }
}

async function waitUntilRemoved(file: string, timeoutMs: number): Promise<boolean> {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(20)) {
    if (!(await stat(file).catch(() => undefined))) return true;
  }
  return false;
}
