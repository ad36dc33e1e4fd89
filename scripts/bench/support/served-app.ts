import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, type Db } from '#db/connect.server.ts';
import { startEmbeddedPostgres } from '#db/embedded/launch.ts';
import { migrateToLatest } from '#db/migrate.ts';
import { type FullSchool, makeFullSchool } from '#tests/support/fixtures.ts';
import { PASSWORD } from '#tests/support/school.ts';
import { ensureBuild } from '../../launcher/build.ts';
import { type ServedProduct, startServer } from './served-product.ts';

const PORT = 4790;
export const BASE = `http://localhost:${PORT}`;

export interface ServedApp {
  db: Db;
  school: FullSchool;
  pid: number;
}

/** Runs the measurement against the built app, as a process with a database and a full school of its own. */
export async function withServedApp(measure: (app: ServedApp) => Promise<void>): Promise<void> {
  await ensureBuild();
  const folder = await mkdtemp(path.join(tmpdir(), 'flightline-bench-'));
  const postgres = await startEmbeddedPostgres(folder);
  const db = connect(postgres.url, { statementTimeoutMs: 0 });
  await migrateToLatest(db);
  const school = await makeFullSchool(db);
  let server: ServedProduct | undefined;
  try {
    const SESSION_SECRET = randomUUID() + randomUUID();
    const settings = { DATABASE_URL: postgres.url, APP_URL: BASE, HOST: '127.0.0.1', TRUST_PROXY: '1', SESSION_SECRET };
    server = await startServer(['scripts/start.mjs'], PORT, settings);
    await measure({ db, school, pid: server.pid });
  } finally {
    await server?.stop();
    await db.destroy();
    await postgres.stop();
    await rm(folder, { recursive: true });
  }
}

/** Signs a user in and returns the Cookie header of the browser. */
export async function signIn(username: string): Promise<string> {
  const body = new URLSearchParams({ username, password: PASSWORD });
  const answer = await fetch(`${BASE}/login`, { method: 'POST', body, headers: { origin: BASE }, redirect: 'manual' });
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}
