import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StartupError } from '../startup-error.ts';
import { lastLogLines } from './cluster.ts';
import type { ServerPaths } from './paths.ts';

const HOLDER = 'flightline launcher';
const LEAVER = 'flightline leaving';
/** Entering and leaving take turns on this lock. */
const ADVISORY_LOCK_ID = 15;
/** Milliseconds: recovery after a crash may take a while. */
const MAX_WAIT_MS = 60_000;
const LAUNCHES = 8;

/**
 * Connects to the server, starting it with `launch` when nobody answers. The connection is the lease: it ends with
 * the process that holds it, even one that is killed, so the server always knows who still needs it.
 */
export async function acquire(home: ServerPaths, launch: () => Promise<ChildProcess>): Promise<pg.Client> {
  let server: ChildProcess | undefined;
  let launches = 0;
  for (const end = Date.now() + MAX_WAIT_MS; Date.now() < end; await sleep(25)) {
    const lease = await tryAcquire(home);
    if (lease) return lease;
    if (server && isRunning(server)) continue;
    if (launches === LAUNCHES) throw new StartupError(await toStartupError(home));
    // One that ended at once found another in its way, which may still be leaving.
    if (launches > 0) await sleep(500);
    server = await launch();
    launches += 1;
  }
  throw new StartupError(await toStartupError(home));
}

/** Ends the lease; calls `stop` when no other launcher holds one. */
export async function release(lease: pg.Client, stop: () => Promise<void>): Promise<void> {
  try {
    await lease.query('select pg_advisory_lock($1)', [ADVISORY_LOCK_ID]);
    await lease.query(`set application_name = '${LEAVER}'`);
    const others = await lease.query('select 1 from pg_stat_activity where application_name = $1', [HOLDER]);
    if (others.rowCount === 0) await stop();
  } finally {
    await lease.end().catch(() => {});
  }
}

async function tryAcquire(home: ServerPaths): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    host: home.socketFolder,
    port: 5432,
    user: 'flightline',
    database: 'postgres',
    connectionTimeoutMillis: 3000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK_ID]);
    await client.query(`set application_name = '${HOLDER}'`);
    await client.query('select pg_advisory_unlock($1)', [ADVISORY_LOCK_ID]);
    return client;
  } catch {
    await client.end().catch(() => {});
    return undefined;
  }
}

function isRunning(server: ChildProcess): boolean {
  return server.exitCode === null && server.signalCode === null;
}

async function toStartupError(home: ServerPaths): Promise<string> {
  return `The embedded Postgres does not start. Its log ${home.logFile} ends with:\n${await lastLogLines(home)}`;
}
