import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { connect, type Db } from '#db/connect.server.ts';
import { APPLICATION_ROLE } from '#db/embedded/application-role.ts';
import { startEmbeddedPostgres } from '#db/embedded/launch.ts';
import { migrateToLatest } from '#db/migrate.ts';
import { type FullSchool, makeFullSchool } from '#tests/support/fixtures.ts';
import { PASSWORD } from '#tests/support/school.ts';
import { type Screen, screens } from '#tests/support/screen-addresses.ts';
import { ensureBuild } from '../../launcher/build.ts';
import { type ServedProduct, startServer } from './served-product.ts';

const PORT = 4790;
export const BASE = `http://localhost:${PORT}`;

export interface FilledApp<School> {
  db: Db;
  school: School;
  pid: number;
}

export type ServedApp = FilledApp<FullSchool>;

/** Runs the measurement against the built app, as a process with a database and a full school of its own. */
export function withServedApp(measure: (app: ServedApp) => Promise<void>): Promise<void> {
  return withFilledApp(makeFullSchool, measure);
}

/** Serves the built app at `BASE`, on a database of its own that holds what `fill` writes, for as long as it is used. */
export async function withFilledApp<School>(
  fill: (db: Db) => Promise<School>,
  use: (app: FilledApp<School>) => Promise<void>,
): Promise<void> {
  await ensureBuild();
  const folder = await mkdtemp(path.join(tmpdir(), 'flightline-bench-'));
  const postgres = await startEmbeddedPostgres(folder);
  const db = connect(postgres.ownerUrl, { statementTimeoutMs: 0 });
  await migrateToLatest(db, { product: APPLICATION_ROLE });
  const school = await fill(db);
  let server: ServedProduct | undefined;
  try {
    const SESSION_SECRET = randomUUID() + randomUUID();
    const settings = { DATABASE_URL: postgres.url, APP_URL: BASE, HOST: '127.0.0.1', TRUST_PROXY: '1', SESSION_SECRET };
    server = await startServer(['scripts/start.mjs'], PORT, settings);
    await use({ db, school, pid: server.pid });
  } finally {
    await server?.stop();
    await db.destroy();
    await postgres.stop();
    await rm(folder, { recursive: true });
  }
}

/** Signs a user in and returns the Cookie header of the browser. */
async function signIn(username: string): Promise<string> {
  const body = new URLSearchParams({ username, password: PASSWORD });
  const answer = await fetch(`${BASE}/login`, { method: 'POST', body, headers: { origin: BASE }, redirect: 'manual' });
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

/** A screen of the full school, and the cookies of a user who may see it. */
export interface Visit {
  path: string;
  cookie: string;
}

/** Visits every screen once, with lists as long as their pages; the second step of a sign-in is like the first. */
export async function* visits(school: FullSchool): AsyncGenerator<Visit> {
  for (const { as, path } of [...screens(), FLIGHT_DETAILS]) {
    if (as === 'signing in') continue;
    yield { path: path(school), cookie: as === 'visitor' ? '' : await signIn(school[as].username) };
  }
}

const FLIGHT_DETAILS: Screen = {
  route: '/flight-logs',
  as: 'administrator',
  path: ({ flown }) => `/flight-logs?log=${flown}`,
};

export async function fillLists(db: Db, { id, administrator, free }: FullSchool): Promise<void> {
  const fifty = sql`generate_series(1, 50) n`;
  await sql`insert into users (school_id, username, username_key, email, role, password_hash)
    select ${id}, 'pilot-' || n, 'pilot-' || n, 'pilot-' || n || '@cascade.example', 'student', 'x' from ${fifty}`.execute(
    db,
  );
  await sql`insert into aircraft (school_id, tail_number, make, model, year, last_hobbs, last_tach)
    select ${id}, 'N' || (1000 + n), 'Cessna', '172S', 2004, 1234.5, 987.6 from ${fifty}`.execute(db);
  await sql`insert into flight_logs (school_id, aircraft_id, user_id, start_hobbs, start_tach, end_hobbs, end_tach, created_at,
      completed_at, completed_by)
    select ${id}, ${free}, ${administrator.id}, 100 + n, 90 + n, 101 + n, 91 + n, now() - n * interval '1 day',
      now() - n * interval '1 day' + interval '1 hour', ${administrator.id} from ${fifty}`.execute(db);
  await sql`insert into invitations (school_id, name, email, role, token_hash, invited_by, expires_at)
    select ${id}, 'Pilot ' || n, 'invited-' || n || '@cascade.example', 'student', 'hash-' || n, ${administrator.id},
      now() + interval '7 days' from ${fifty}`.execute(db);
  await sql`insert into audit_entries (school_id, user_id, action, subject, subject_id, before, after, reason, address)
    select ${id}, ${administrator.id}, 'corrected readings', 'flight log', n, '{"end_hobbs": "1234.5"}',
      '{"end_hobbs": "1234.6"}', 'Misread at the end of flight ' || n, '192.0.2.' || n from ${fifty}`.execute(db);
  await sql`insert into scans (school_id, aircraft_id, user_id, photo_id, crop_id, meter_type, detected_text, confidence, other_text)
    select school_id, aircraft_id, user_id, photo_id, crop_id, 'hobbs', '1234.5', 0.76, '123.4' from ${fifty},
      (select * from scans where school_id = ${id} limit 1) one`.execute(db);
}
