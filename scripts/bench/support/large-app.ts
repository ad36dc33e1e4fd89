import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Db } from '#db/connect.server.ts';
import { startEmbeddedPostgres } from '#db/embedded/launch.ts';
import { migrateToLatest } from '#db/migrate.ts';
import { ensureBuild } from '../../launcher/build.ts';
import { fillSchools } from './large-school.ts';
import { signInAs } from './served-product.ts';

const PORT = 4793;
const SETTINGS = { shared_buffers: '256MB' };

export interface LargeApp {
  base: string;
  cookie: string;
  db: Db;
  databaseUrl: string;
  appPid: number;
  postgresPid: number;
}

/** Measures the built app on a Postgres of its own with so many flights, the process and database on this machine. */
export async function withLargeApp(flights: number, measure: (app: LargeApp) => Promise<void>, schools = 1) {
  await ensureBuild();
  const kept = process.env.BENCH_DIR;
  const folder = kept ?? (await mkdtemp(path.join(tmpdir(), 'flightline-bench-')));
  await mkdir(folder, { recursive: true });
  if (process.getuid?.() === 0) await chmod(folder, 0o755);
  const postgres = await startEmbeddedPostgres(folder, SETTINGS);
  const db = connect(postgres.url, { statementTimeoutMs: 0 });
  let server: ChildProcess | undefined;
  try {
    await fill(db, flights, schools);
    const base = `http://localhost:${PORT}`;
    server = await serve(postgres.url, base);
    const postgresPid = Number(
      (await readFile(path.join(folder, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0],
    );
    console.log(`${flights} flights of ${schools} school(s), load average ${loadavg()[0]?.toFixed(1)}`);
    const cookie = await signInAs({ base });
    await measure({ base, cookie, db, databaseUrl: postgres.url, appPid: server.pid ?? 0, postgresPid });
  } finally {
    server?.kill('SIGKILL');
    await db.destroy();
    await postgres.stop();
    if (kept === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function fill(db: Db, flights: number, schools: number): Promise<void> {
  await migrateToLatest(db);
  if (!(await db.selectFrom('schools').select('id').executeTakeFirst())) await fillSchools(db, flights, schools);
}

async function serve(url: string, base: string): Promise<ChildProcess> {
  const env = {
    ...process.env,
    NODE_ENV: 'production' as const,
    DATABASE_URL: url,
    APP_URL: base,
    PORT: String(PORT),
    PHOTO_WARM_UP: 'no',
    SESSION_SECRET: randomUUID() + randomUUID(),
  };
  const server = spawn(process.execPath, ['scripts/start.mjs'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  while (!(await fetch(`${base}/healthz`).catch(() => undefined))?.ok) {
    if (server.exitCode !== null) throw new Error('the app did not start');
    await sleep(50);
  }
  return server;
}
