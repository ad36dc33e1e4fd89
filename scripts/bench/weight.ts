import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { paths } from '#app/paths.ts';
import type { FullSchool } from '#tests/support/fixtures.ts';
import { type Screen, screens } from '#tests/support/screen-addresses.ts';
import { BASE, signIn, withServedApp } from './support/served-app.ts';

/** Bytes after gzip: document with fifty rows, all styles, all scripts. */
const LIMITS = { html: 14_000, css: 10_000, js: 102_000 };
const MAX_WORKER_BYTES = 8000;

interface Weight {
  screen: string;
  html: number;
  css: number;
  js: number;
}

/** Transferred bytes per screen, for an administrator with full lists. */
export async function bench(): Promise<void> {
  await withServedApp(async ({ db, school }) => {
    await fill(db, school);
    print(await weighAll(school));
    printWorker(await gzipped(paths.deviceWorker));
  });
}

async function fill(db: Db, { id, administrator, free }: FullSchool): Promise<void> {
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

async function weighAll(school: FullSchool): Promise<Weight[]> {
  const weights: Weight[] = [];
  for (const { as, path: pathIn } of [...screens(), FLIGHT_DETAILS]) {
    // The second step of a sign-in weighs what the first does.
    if (as === 'signing in') continue;
    weights.push(await weigh(pathIn(school), as === 'visitor' ? '' : await signIn(school[as].username)));
  }
  return weights;
}

const FLIGHT_DETAILS: Screen = {
  route: '/flight-logs',
  as: 'administrator',
  path: ({ flown }) => `/flight-logs?log=${flown}`,
};

async function weigh(screen: string, cookie: string): Promise<Weight> {
  const document = await fetch(BASE + screen, { headers: { cookie }, redirect: 'error' });
  const html = await document.text();
  // Only what the page loads: it also names assets of other pages.
  const loaded = html.matchAll(/(?:href=|src=|from |import )"(\/assets\/[^"]+)"/g);
  const assets = [...new Set([...loaded].map(([, asset = '']) => asset))];
  const sizes = await Promise.all(assets.map(async (asset) => ({ asset, size: await gzipped(asset) })));
  const sum = (ending: string) =>
    sizes.filter(({ asset }) => asset.endsWith(ending)).reduce((total, { size }) => total + size, 0);
  return { screen: screen.slice(0, 32), html: gzipSync(html).length, css: sum('.css'), js: sum('.js') };
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

/** Fetched behind the first page of a build. */
function printWorker(bytes: number): void {
  console.log(`${'service worker'.padEnd(54)}${String(bytes).padStart(10)} of ${MAX_WORKER_BYTES}`);
  if (bytes > MAX_WORKER_BYTES) process.exitCode = 1;
}
