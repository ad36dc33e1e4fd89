import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Db } from '#db/connect.server.ts';
import { startEmbeddedPostgres } from '#db/embedded/launch.ts';
import { migrateToLatest } from '#db/migrate.ts';
import { type FullSchool, makeFullSchool } from '#tests/support/fixtures.ts';
import { PASSWORD } from '#tests/support/school.ts';
import { ensureBuild } from '../../launcher/build.ts';

const PORT = 4790;
export const BASE = `http://localhost:${PORT}`;

export interface ServedApp {
  db: Db;
  school: FullSchool;
  pid: number;
  /** Another process on the same database; its pid. */
  serveToo(port: number, environment: Record<string, string>): Promise<number>;
}

/** Runs the measurement against the built app, as a process with a database and a full school of its own. */
export async function withServedApp(measure: (app: ServedApp) => Promise<void>): Promise<void> {
  await ensureBuild();
  const folder = await mkdtemp(path.join(tmpdir(), 'flightline-bench-'));
  const postgres = await startEmbeddedPostgres(folder);
  const db = connect(postgres.url, { statementTimeoutMs: 0 });
  await migrateToLatest(db);
  const school = await makeFullSchool(db);
  const servers: ChildProcess[] = [];
  const serveToo = async (port: number, environment: Record<string, string>) => {
    const server = serve(postgres.url, port, environment);
    servers.push(server);
    while (!(await fetch(`http://localhost:${port}/healthz`).catch(() => undefined))?.ok) await sleep(50);
    return server.pid ?? 0;
  };
  try {
    await measure({ db, school, pid: await serveToo(PORT, {}), serveToo });
  } finally {
    for (const server of servers) server.kill('SIGKILL');
    await db.destroy();
    await postgres.stop();
    await rm(folder, { recursive: true });
  }
}

/** The Cookie header of a browser in which the user has just signed in. */
export async function signIn(username: string, password = PASSWORD): Promise<string> {
  const body = new URLSearchParams({ username, password });
  const answer = await fetch(`${BASE}/login`, { method: 'POST', body, headers: { origin: BASE }, redirect: 'manual' });
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

const secrets = { SESSION_SECRET: randomUUID() + randomUUID() };

function serve(url: string, port: number, environment: Record<string, string>): ChildProcess {
  const env = {
    ...process.env,
    ...secrets,
    DATABASE_URL: url,
    APP_URL: BASE,
    PORT: String(port),
    HOST: '127.0.0.1',
    TRUST_PROXY: '1',
    ...environment,
  };
  return spawn(process.execPath, ['scripts/start.mjs'], { env, stdio: 'ignore' });
}
