import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { paths } from '#app/paths.ts';
import { connect, type Db } from '#db/connect.server.ts';
import { startEmbeddedPostgres } from '#db/embedded/launch.ts';
import { migrateToLatest } from '#db/migrate.ts';
import { seed } from '#db/seed.ts';
import { ensureBuild } from '../launcher/build.ts';

/** Bytes after gzip: document with fifty rows, all styles, all scripts. */
const LIMITS = { html: 14_000, css: 10_000, js: 95_000 };
const PORT = '4790';
const BASE = `http://localhost:${PORT}`;

interface Weight {
  screen: string;
  html: number;
  css: number;
  js: number;
}

/** Transferred bytes per screen, for an administrator with full lists. */
export async function bench(): Promise<void> {
  await ensureBuild();
  const folder = await mkdtemp(path.join(tmpdir(), 'flightline-bench-'));
  const postgres = await startEmbeddedPostgres(folder);
  const db = connect(postgres.url, { statementTimeoutMs: 0 });
  await migrateToLatest(db);
  await seed(db);
  await fill(db);
  const server = serve(postgres.url);
  try {
    print(await weighAll(db));
  } finally {
    server.kill('SIGKILL');
    await db.destroy();
    await postgres.stop();
    await rm(folder, { recursive: true });
  }
}

async function fill(db: Db): Promise<void> {
  const fifty = sql`generate_series(1, 50) n`;
  await sql`insert into users (school_id, username, username_key, email, role, password_hash)
    select 1, 'pilot-' || n, 'pilot-' || n, 'pilot-' || n || '@cascade.example', 'student', 'x' from ${fifty}`.execute(
    db,
  );
  await sql`insert into aircraft (school_id, tail_number, make, model, year, last_hobbs, last_tach)
    select 1, 'N' || (1000 + n), 'Cessna', '172S', 2004, 1234.5, 987.6 from ${fifty}`.execute(db);
  await sql`insert into invitations (school_id, name, email, role, token_hash, invited_by, expires_at)
    select 1, 'Pilot ' || n, 'invited-' || n || '@cascade.example', 'student', 'hash-' || n, 1, now() + interval '7 days'
    from ${fifty}`.execute(db);
  await sql`insert into photos (school_id, user_id, content, width, height) values (1, 1, ''::bytea, 800, 600)`.execute(
    db,
  );
  await sql`insert into scans (school_id, aircraft_id, user_id, photo_id, crop_id, meter_type, detected_text, confidence, other_text)
    select 1, 1, 1, 1, 1, 'hobbs', '1234.5', 0.76, '123.4' from ${fifty}`.execute(db);
}

function serve(url: string): ChildProcess {
  const secrets = { SESSION_SECRET: randomUUID() + randomUUID() };
  const env = { ...process.env, ...secrets, DATABASE_URL: url, APP_URL: BASE, PORT, HOST: '127.0.0.1' };
  return spawn(process.execPath, ['--import', 'tsx', 'scripts/start.ts'], { env, stdio: 'ignore' });
}

async function weighAll(db: Db): Promise<Weight[]> {
  while (!(await fetch(`${BASE}/healthz`).catch(() => undefined))?.ok) await sleep(50);
  const cookie = await signIn();
  const flight = await db
    .selectFrom('flight_logs')
    .select('id')
    .where('completed_at', 'is', null)
    .executeTakeFirstOrThrow();
  const administrators = [
    paths.dashboard,
    paths.fleet,
    paths.addAircraft,
    paths.users,
    paths.addUser,
    paths.invitations,
    paths.scan,
    paths.scanHistory,
    paths.checkOut,
    paths.flightLogs,
    paths.flightLog(1),
    paths.schoolSettings,
    '/nowhere',
  ];
  const weights = [await weigh(paths.login, '')];
  for (const screen of administrators) weights.push(await weigh(screen, cookie));
  await sql`update flight_logs set user_id = 1 where id = ${flight.id}`.execute(db);
  return [...weights, await weigh(paths.checkIn(flight.id), cookie)];
}

async function signIn(): Promise<string> {
  const body = new URLSearchParams({ username: 'admin', password: 'flightline-demo' });
  const answer = await fetch(BASE + paths.login, {
    method: 'POST',
    body,
    headers: { origin: BASE },
    redirect: 'manual',
  });
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

async function weigh(screen: string, cookie: string): Promise<Weight> {
  const document = await fetch(BASE + screen, { headers: { cookie } });
  const html = await document.text();
  // Only what the page loads: it also names assets of other pages.
  const loaded = html.matchAll(/(?:href=|src=|from |import )"(\/assets\/[^"]+)"/g);
  const assets = [...new Set([...loaded].map(([, asset = '']) => asset))];
  const sizes = await Promise.all(assets.map(async (asset) => ({ asset, size: await gzipped(asset) })));
  const sum = (ending: string) =>
    sizes.filter(({ asset }) => asset.endsWith(ending)).reduce((total, { size }) => total + size, 0);
  return { screen, html: gzipSync(html).length, css: sum('.css'), js: sum('.js') };
}

const known = new Map<string, Promise<number>>();

function gzipped(asset: string): Promise<number> {
  const size = known.get(asset) ?? fetch(BASE + asset).then(async (answer) => gzipSync(await answer.text()).length);
  known.set(asset, size);
  return size;
}

/** Marks a weight above its limit, which fails the run. */
function print(weights: Weight[]): void {
  const columns = ['html', 'css', 'js'] as const;
  const heavy = (weight: Weight) => columns.filter((column) => weight[column] > LIMITS[column]);
  console.log(`${'gzip bytes'.padEnd(34)}${columns.map((column) => column.padStart(10)).join('')}`);
  for (const weight of weights) {
    const cells = columns.map((column) => `${weight[column]}${heavy(weight).includes(column) ? '!' : ''}`.padStart(10));
    console.log(weight.screen.padEnd(34) + cells.join(''));
  }
  console.log(`${'at most'.padEnd(34)}${columns.map((column) => String(LIMITS[column]).padStart(10)).join('')}`);
  if (weights.some((weight) => heavy(weight).length > 0)) process.exitCode = 1;
}
