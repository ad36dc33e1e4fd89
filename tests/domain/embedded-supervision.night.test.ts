import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { readLastLogLines } from '#db/embedded/cluster.ts';
import { SUPERUSER } from '#db/embedded/paths.ts';
import { startEmbeddedPostgres } from '#db/embedded/launch.ts';
import { databaseRestartChannel, embeddedTrouble } from '#db/embedded/trouble.ts';
import { nextDelay } from '#db/embedded/supervision.ts';

const PATIENCE = { timeout: 240_000, interval: 100 };

// Open to the user whom Postgres runs as when root starts it.
const folder = await mkdtemp('/tmp/embedded-supervision-');
await chmod(folder, 0o711);
afterAll(() => rm(folder, { recursive: true }));

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function findBackend(which: string): Promise<number | undefined> {
  const client = new pg.Client({ host: path.join(folder, 'postgres'), user: SUPERUSER, database: 'postgres' });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(`select pid from pg_stat_activity where ${which}`);
  await client.end();
  return rows[0]?.pid;
}

it('an embedded Postgres that cannot start for a while says why, and is started once it can (B515)', async () => {
  const reasons: (string | undefined)[] = [];
  const onTrouble = (reason: string | undefined) => void reasons.push(reason);
  let restarts = 0;
  const count = () => (restarts += 1);
  databaseRestartChannel.subscribe(count);
  const postgres = await startEmbeddedPostgres(folder, { fsync: 'off' }, { onTrouble, firstDelayMs: 50 });
  try {
    const data = path.join(folder, 'postgres', 'data');
    const pid = Number.parseInt(await readFile(path.join(data, 'postmaster.pid'), 'utf8'), 10);
    await rename(path.join(data, 'pg_wal'), path.join(data, 'pg_wal_away'));
    process.kill(pid, 'SIGQUIT');
    await expect.poll(() => reasons.length, PATIENCE).toBeGreaterThanOrEqual(1);
    expect(embeddedTrouble()).toContain('The embedded Postgres does not start.');
    expect(embeddedTrouble()).toContain('pg_wal');

    await rename(path.join(data, 'pg_wal_away'), path.join(data, 'pg_wal'));
    await expect.poll(() => answers(postgres.url), PATIENCE).toBe(true);
    await expect.poll(() => reasons.at(-1), PATIENCE).toBeUndefined();
    expect(embeddedTrouble()).toBeUndefined();
    expect(restarts).toBe(1);
  } finally {
    databaseRestartChannel.unsubscribe(count);
    await postgres.stop();
  }
});

it('an embedded Postgres starts though its lock names another program, as after a power failure (B515)', async () => {
  await (await startEmbeddedPostgres(folder, { fsync: 'off' })).stop();
  const data = path.join(folder, 'postgres', 'data');
  const { uid, gid } = await stat(data);
  // Of the same user, since Postgres takes no other program for one that may have the lock.
  const other = spawn('sleep', ['600'], { ...(process.getuid?.() === 0 && { uid, gid }), stdio: 'ignore' });
  onTestFinished(() => void other.kill());
  await once(other, 'spawn');
  await writeFile(path.join(data, 'postmaster.pid'), `${other.pid}\n${data}\n`);
  const logFile = path.join(folder, 'postgres', 'server.log');
  const before = await readFile(logFile, 'utf8');
  const postgres = await startEmbeddedPostgres(folder, { fsync: 'off' });
  expect(await answers(postgres.url)).toBe(true);
  await postgres.stop();
  // What a start before it has told stays.
  expect((await readFile(logFile, 'utf8')).startsWith(before)).toBe(true);
  expect(before).not.toBe('');
});

it.each([
  ['ended at that moment', "application_name = 'none'", 'SIGQUIT'],
  ['recovers from a crash at that moment', "application_name = 'flightline launcher'", 'SIGKILL'],
] as const)(
  'a server that is told to stop while its embedded Postgres %s leaves none behind (B515)',
  async (_what, which, signal) => {
    const postgres = await startEmbeddedPostgres(folder, { fsync: 'off' });
    const lockFile = path.join(folder, 'postgres', 'data', 'postmaster.pid');
    const postmaster = Number.parseInt(await readFile(lockFile, 'utf8'), 10);
    process.kill((await findBackend(which)) ?? postmaster, signal);
    await postgres.stop();
    await expect.poll(() => existsSync(lockFile), PATIENCE).toBe(false);
  },
);

it('a server that is told to stop while its embedded Postgres cannot start stops (B515)', async () => {
  const reasons: (string | undefined)[] = [];
  const onTrouble = (reason: string | undefined) => void reasons.push(reason);
  const postgres = await startEmbeddedPostgres(folder, { fsync: 'off' }, { onTrouble, firstDelayMs: 3_600_000 });
  const data = path.join(folder, 'postgres', 'data');
  const pid = Number.parseInt(await readFile(path.join(data, 'postmaster.pid'), 'utf8'), 10);
  await rename(path.join(data, 'pg_wal'), path.join(data, 'pg_wal_away'));
  process.kill(pid, 'SIGQUIT');
  await expect.poll(() => reasons.length, PATIENCE).toBe(1);
  await postgres.stop();
});

it('the reason an embedded Postgres does not start stays in its last log lines, despite refused connections (B515)', async () => {
  const logFile = path.join(folder, 'refused.log');
  const reason = '[1] FATAL:  required WAL directory "pg_wal" does not exist';
  const refused = ['starting up', 'in recovery mode', 'shutting down'].map(
    (state) => `[2] FATAL:  the database system is ${state}`,
  );
  const after = ['[3] LOG:  one', '[3] LOG:  two', '[3] LOG:  three', '[3] LOG:  four'];
  await writeFile(logFile, ['[0] LOG:  before', reason, ...refused, ...after].join('\n'));
  expect(await readLastLogLines({ logFile })).toBe([reason, ...after].join('\n'));
});

it('the pauses between starts of an embedded Postgres double up to half a minute (B515)', () => {
  expect([1, 1000, 15_000, 16_000, 30_000].map(nextDelay)).toEqual([2, 2000, 30_000, 30_000, 30_000]);
});
