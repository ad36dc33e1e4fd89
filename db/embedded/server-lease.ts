import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from '../driver.ts';
import { isConnectionLost } from '../database-trouble.ts';
import { EMBEDDED_QUERY_MS, EMBEDDED_RECOVERY_MS, EMBEDDED_START_MS } from '../deadlines.ts';
import { StartupError } from '../startup-error.ts';
import { hasServer, readLastLogLines } from './cluster.ts';
import { type ServerPaths, SUPERUSER } from './paths.ts';

/** Names of connections; releases that share a server must agree on them. */
const LEASE_NAME = 'flightline launcher';
const RELEASED_NAME = 'flightline leaving';
const ADVISORY_LOCK_ID = 15;
const MAX_LAUNCHES = 8;
const CANNOT_CONNECT_NOW = '57P03';

/** Connects, launching the server when none answers. The connection is the lease: it ends with its process. */
export async function acquireLease(paths: ServerPaths, launch: () => Promise<ChildProcess>): Promise<pg.Client> {
  let server: ChildProcess | undefined;
  let launches = 0;
  for (let end = Date.now() + EMBEDDED_START_MS; Date.now() < end; await sleep(25)) {
    const lease = await tryAcquireLease(paths);
    if (lease === 'starting') {
      end = Date.now() + EMBEDDED_START_MS;
      continue;
    }
    if (lease) return lease;
    if (server && isRunning(server)) continue;
    if (launches === MAX_LAUNCHES) break;
    // A server that exited at once met another one that may still be shutting down.
    if (launches > 0) await sleep(500);
    server = await launch();
    launches += 1;
  }
  throw await toStartupError(paths);
}

export async function releaseLease(paths: ServerPaths, lease: pg.Client, stop: () => Promise<void>): Promise<void> {
  if ((await endLease(lease, stop)) !== 'lost') return;
  // A crashed server may come back, and must not go on running for nobody.
  for (const end = Date.now() + EMBEDDED_RECOVERY_MS; Date.now() < end && (await hasServer(paths)); await sleep(25)) {
    const again = await tryAcquireLease(paths);
    // The server counts the lost lease as another one until it has noticed its crash.
    if (again instanceof pg.Client && (await endLease(again, stop)) === 'stopped') return;
  }
}

/** Ends one lease; returns 'lost' if its server broke off. */
async function endLease(lease: pg.Client, stop: () => Promise<void>): Promise<'stopped' | 'shared' | 'lost'> {
  try {
    await lease.query('select pg_advisory_lock($1)', [ADVISORY_LOCK_ID]);
    await lease.query(`set application_name = '${RELEASED_NAME}'`);
    const others = await lease.query('select 1 from pg_stat_activity where application_name = $1', [LEASE_NAME]);
    if (others.rowCount !== 0) return 'shared';
    await stop();
    return 'stopped';
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    return 'lost';
  } finally {
    await lease.end().catch(() => {});
  }
}

/** Tries once; returns 'starting' while a server starts or ends: crash recovery takes as long as it takes. */
async function tryAcquireLease(paths: ServerPaths): Promise<pg.Client | 'starting' | undefined> {
  const client = new pg.Client({
    host: paths.socketFolder,
    port: 5432,
    user: SUPERUSER,
    database: 'postgres',
    connectionTimeoutMillis: 3000,
    query_timeout: EMBEDDED_QUERY_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK_ID]);
    await client.query(`set application_name = '${LEASE_NAME}'`);
    await client.query('select pg_advisory_unlock($1)', [ADVISORY_LOCK_ID]);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    return error instanceof pg.DatabaseError && error.code === CANNOT_CONNECT_NOW ? 'starting' : undefined;
  }
}

function isRunning(server: ChildProcess): boolean {
  return server.exitCode === null && server.signalCode === null;
}

async function toStartupError(paths: ServerPaths): Promise<StartupError> {
  const lines = await readLastLogLines(paths);
  return new StartupError(`The embedded Postgres does not start. Its log ${paths.logFile} ends with:\n${lines}`);
}
