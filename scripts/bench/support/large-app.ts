import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { connect, type Db } from '#db/connect.server.ts';
import { APPLICATION_ROLE } from '#db/embedded/application-role.ts';
import { startEmbeddedPostgres } from '#db/embedded/launch.ts';
import { migrateToLatest } from '#db/migrate.ts';
import { ensureBuild } from '../../launcher/build.ts';
import { fillSchools } from './large-school.ts';
import { type ServedProduct, serveProduct, signInAs } from './served-product.ts';

const SETTINGS = { shared_buffers: '256MB' };

export interface LargeApp {
  base: string;
  cookie: string;
  databaseUrl: string;
  appPid: number;
  postgresPid: number;
}

/** Measures the built app on a Postgres of its own with so many flights, the process and database on this machine. */
export async function withLargeApp(flights: number, measure: (app: LargeApp) => Promise<void>): Promise<void> {
  await ensureBuild();
  const kept = process.env.BENCH_DIR;
  const folder = kept ?? (await mkdtemp(path.join(tmpdir(), 'flightline-bench-')));
  await mkdir(folder, { recursive: true });
  if (process.getuid?.() === 0) await chmod(folder, 0o755);
  const postgres = await startEmbeddedPostgres(folder, SETTINGS);
  const db = connect(postgres.ownerUrl, { statementTimeoutMs: 0 });
  let product: ServedProduct | undefined;
  try {
    await fill(db, flights);
    product = await serveProduct(postgres.url);
    const postmaster = await readFile(path.join(folder, 'postgres/data/postmaster.pid'), 'utf8');
    console.log(`${flights} flights, load average ${loadavg()[0]?.toFixed(1)}`);
    const { base, pid: appPid } = product;
    const postgresPid = Number(postmaster.split('\n')[0]);
    await measure({ base, cookie: await signInAs(product), databaseUrl: postgres.url, appPid, postgresPid });
  } finally {
    await product?.stop();
    await db.destroy();
    await postgres.stop();
    if (kept === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function fill(db: Db, flights: number): Promise<void> {
  await migrateToLatest(db, { product: APPLICATION_ROLE });
  if (!(await db.selectFrom('schools').select('id').executeTakeFirst())) await fillSchools(db, flights);
}
