import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { connect, type Db } from '#db/connect.server.ts';
import { APPLICATION_ROLE, OWNER_ROLE, prepareDatabase } from '#db/embedded/application-role.ts';
import { databaseUrl, findOrCreateServerPaths } from '#db/embedded/paths.ts';
import { startEmbeddedPostgres } from '#db/embedded/launch.ts';
import { migrateToLatest } from '#db/migrate.ts';
import { fillSchools } from './large-school.ts';

/** The folder is kept between runs, because a million flights take minutes to write. */
export const BENCH_FOLDER = '.data/bench';
const POSTGRES_SETTINGS = { shared_buffers: '512MB', max_connections: '200' };

export const SIZES = {
  '1k': { name: 'bench_1k', flights: 1000, schools: 1 },
  '1M': { name: 'bench_1m', flights: 1_000_000, schools: 1 },
  '500 schools': { name: 'bench_500', flights: 1_000_000, schools: 500 },
};

export type Size = keyof typeof SIZES;

export interface BenchDatabase {
  size: Size;
  name: string;
  url: string;
  db: Db;
}

/** Runs one Postgres with a database of each size; each is filled once. */
export async function withBenchDatabases<Result>(
  sizes: Size[],
  measure: (databases: BenchDatabase[]) => Promise<Result>,
): Promise<Result> {
  await mkdir(BENCH_FOLDER, { recursive: true });
  const server = await startEmbeddedPostgres(BENCH_FOLDER, POSTGRES_SETTINGS);
  const databases: BenchDatabase[] = [];
  try {
    for (const size of sizes) databases.push(await openDatabase(server.ownerUrl, size));
    return await measure(databases);
  } finally {
    await Promise.all(databases.map(({ db }) => db.destroy()));
    await server.stop();
  }
}

async function openDatabase(serverUrl: string, size: Size): Promise<BenchDatabase> {
  const { name, flights, schools } = SIZES[size];
  const paths = await findOrCreateServerPaths(path.resolve(BENCH_FOLDER));
  const server = connect(serverUrl, { max: 1, statementTimeoutMs: 0 });
  const isFilled = await isMarkedFilled(server, name);
  // A fill that was interrupted is begun anew.
  if (!isFilled) await sql`drop database if exists ${sql.id(name)}`.execute(server);
  await prepareDatabase(paths, name);
  const url = databaseUrl(paths, name, APPLICATION_ROLE);
  const db = connect(databaseUrl(paths, name, OWNER_ROLE), {
    statementTimeoutMs: 0,
    lockTimeoutMs: 0,
    applicationName: 'flightline bench',
  });
  await migrateToLatest(db, { product: APPLICATION_ROLE });
  if (!isFilled) {
    console.log(`Filling ${name}: ${flights} flights of ${schools} school(s).`);
    await fillSchools(db, flights, schools);
    await sql`comment on database ${sql.id(name)} is 'filled'`.execute(server);
  }
  await server.destroy();
  return { size, name, url, db };
}

async function isMarkedFilled(server: Db, name: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_database where datname = ${name} and shobj_description(oid, 'pg_database') = 'filled'`.execute(
    server,
  );
  return rows.length > 0;
}
