import { sql } from 'kysely';
import { onShutdown } from '#app/server/remix-serve/shutdown.server.ts';
import { StartupError } from '#db/startup-error.ts';
import { connect, type Db } from '#db/connect.server.ts';
import { startEmbeddedPostgres } from '#db/embedded/launch.ts';
import type { LaunchSettings } from './environment.ts';

/** DATABASE_URL, or the embedded Postgres of DATA_DIR, started and stopped with this process. Returns its address. */
export async function provideDatabase({ DATABASE_URL, DATA_DIR }: LaunchSettings): Promise<string> {
  if (DATABASE_URL) return DATABASE_URL;
  const starting = startEmbeddedPostgres(DATA_DIR);
  // Before it runs: Ctrl-C may come meanwhile.
  onShutdown('postgres', () =>
    starting.then(
      (started) => started.stop(),
      () => {},
    ),
  );
  const postgres = await starting;
  process.env.DATABASE_URL = postgres.url;
  return postgres.url;
}

/** One piece of work on a database, and the pool closed after it. Throws a BootError when nobody answers. */
export async function withDatabase<Result>(url: string, work: (db: Db) => Promise<Result>): Promise<Result> {
  const db = connect(url, { max: 2, statementTimeoutMs: 0 });
  try {
    await sql`select 1`.execute(db).catch((cause: unknown) => {
      throw new StartupError(`The database at ${placeOf(url)} cannot be reached: ${wordsOf(cause)}.`, { cause });
    });
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** The address without its password. */
function placeOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${searchParams.get('host') ?? host}${pathname}`;
}

function wordsOf(error: unknown): string {
  const errors = error instanceof AggregateError ? error.errors : [error];
  return errors.map((one) => (one instanceof Error ? one.message : String(one))).join(', ');
}
