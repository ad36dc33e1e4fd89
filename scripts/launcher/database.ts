import { sql } from 'kysely';
import { pino } from 'pino';
import { onShutdown } from '#app/server/remix-serve/shutdown.server.ts';
import { StartupError } from '#db/startup-error.ts';
import { migrateToLatest, pendingMigrations } from '#db/migrate.ts';
import { roleOf } from '#db/product-role.ts';
import { COMMAND_CONNECTION, connect, type Db, NO_TIME_OUTS } from '#db/connect.server.ts';
import { splitHosts } from '#db/hosts.ts';
import { startEmbeddedPostgres } from '#db/embedded/launch.ts';
import type { LaunchSettings } from './environment.ts';

export interface DatabaseAddresses {
  /** The address that the product uses. */
  url: string;
  /** The same database for the role that owns the tables: the same address where one role is both. */
  ownerUrl: string;
}

/** Returns the addresses of the settings, or starts the embedded Postgres of DATA_DIR for as long as this process runs. */
export async function ensureDatabase({
  DATABASE_URL,
  DATABASE_OWNER_URL,
  DATA_DIR,
}: LaunchSettings): Promise<DatabaseAddresses> {
  if (DATABASE_OWNER_URL && !DATABASE_URL)
    throw new StartupError('DATABASE_OWNER_URL is set without DATABASE_URL, the address that the server uses.');
  if (DATABASE_URL) return { url: DATABASE_URL, ownerUrl: DATABASE_OWNER_URL ?? DATABASE_URL };
  const starting = startEmbeddedPostgres(DATA_DIR, {}, { onTrouble: logTrouble });
  // The end is registered first, because Ctrl-C may come while the server starts.
  onShutdown('postgres', () =>
    starting.then(
      (started) => started.stop(),
      () => {},
    ),
  );
  const postgres = await starting;
  process.env.DATABASE_URL = postgres.url;
  return postgres;
}

/** Brings the schema up to date as the owner of the tables; returns the names of the migrations that ran. */
export function migrate({ url, ownerUrl }: DatabaseAddresses): Promise<string[]> {
  return withDatabase(ownerUrl, (db) => migrateToLatest(db, { product: roleOf(url) }));
}

/** Logs the trouble of the server, whose log this process writes, too. */
function logTrouble(reason: string | undefined): void {
  const log = pino({ base: undefined });
  if (reason === undefined) log.info('the embedded Postgres is back');
  else log.error({ reason }, 'the embedded Postgres is down; it is started again');
}

/** Runs `work` with a pool of its own. Throws a StartupError when the database cannot be reached. */
export async function withDatabase<Result>(url: string, work: (db: Db) => Promise<Result>): Promise<Result> {
  const db = connect(url, { max: 2, ...NO_TIME_OUTS, applicationName: COMMAND_CONNECTION });
  try {
    await sql`select 1`.execute(db).catch((cause: unknown) => {
      throw new StartupError(`The database at ${withoutPassword(url)} cannot be reached: ${messagesOf(cause)}.`, {
        cause,
      });
    });
    return await work(db).catch((error: unknown) => throwMissingRights(url, error));
  } finally {
    await db.destroy();
  }
}

/** Throws a StartupError where the database lacks migrations. One that cannot be asked may come back while the product runs. */
export async function assertMigrated(url: string): Promise<void> {
  const db = connect(url, { max: 1, applicationName: COMMAND_CONNECTION });
  const pending = await pendingMigrations(db)
    .catch((error: unknown) => (isMissingRights(error) ? throwMissingRights(url, error) : []))
    .finally(() => db.destroy());
  const [first] = pending;
  if (first === undefined) return;
  throw new StartupError(
    `The database at ${withoutPassword(url)} lacks ${pending.length} ${pending.length === 1 ? 'migration' : 'migrations'} of this version, from ${first} on. \`npm run flightline -- upgrade\` saves a backup and runs them.`,
  );
}

const INSUFFICIENT_PRIVILEGE = '42501';

function isMissingRights(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === INSUFFICIENT_PRIVILEGE;
}

/** Throws in words that the role of the address may not use the tables, and any other error as it is. */
function throwMissingRights(url: string, error: unknown): never {
  if (!isMissingRights(error)) throw error;
  throw new StartupError(
    `Postgres refuses ${roleOf(url)} at ${withoutPassword(url)}: ${error.message}. \`npm run flightline -- upgrade\`, with DATABASE_OWNER_URL as .env.example says, gives the server its rights.`,
    { cause: error },
  );
}

export function withoutPassword(url: string): string {
  const hosts = splitHosts(url).map((each) => new URL(each));
  const { pathname, searchParams } = hosts[0] ?? new URL(url);
  return `${searchParams.get('host') ?? hosts.map(({ host }) => host).join(',')}${pathname}`;
}

function messagesOf(error: unknown): string {
  const errors = error instanceof AggregateError ? error.errors : [error];
  return errors.map((each) => (each instanceof Error ? each.message : String(each))).join(', ');
}
