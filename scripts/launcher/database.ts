import { sql } from 'kysely';
import { pino } from 'pino';
import { onShutdown } from '#app/server/remix-serve/shutdown.server.ts';
import { StartupError, systemErrorText } from '#db/startup-error.ts';
import { areAllPending, migrateToLatest, findPendingMigrations } from '#db/migrate.ts';
import { databaseRoleOf } from '#db/product-role.ts';
import { COMMAND_APPLICATION_NAME, connect, type Db, NO_TIME_OUTS } from '#db/connect.server.ts';
import { databaseTrouble, isTlsRefused } from '#db/database-trouble.ts';
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
  return withDatabase(ownerUrl, (db) => migrateToLatest(db, { product: databaseRoleOf(url) }));
}

/** Logs the trouble of the server, whose log this process writes, too. */
function logTrouble(reason: string | undefined): void {
  const log = pino({ base: undefined });
  if (reason === undefined) log.info('the embedded Postgres is back');
  else log.error({ reason }, 'the embedded Postgres is down; it is started again');
}

/** Runs `work` with a pool of its own. Throws a StartupError when the database cannot be reached, or refuses the address. */
export async function withDatabase<Result>(url: string, work: (db: Db) => Promise<Result>): Promise<Result> {
  const db = connect(url, { max: 2, ...NO_TIME_OUTS, applicationName: COMMAND_APPLICATION_NAME });
  try {
    await sql`select 1`.execute(db).catch((cause: unknown) => {
      throw new StartupError(refusalText(url, cause) ?? unreachableText(url, cause), { cause });
    });
    return await work(db).catch((error: unknown) => throwRefusal(url, error));
  } finally {
    await db.destroy();
  }
}

/**
 * Throws a StartupError where the database lacks migrations, or refuses this address, which no waiting mends. One that is
 * away may come back while the product runs: a line of the log says so.
 */
export async function assertMigrated(url: string): Promise<void> {
  const db = connect(url, { max: 1, applicationName: COMMAND_APPLICATION_NAME });
  const pending = await findPendingMigrations(db)
    .catch((error: unknown) => waitForDatabase(url, error))
    .finally(() => db.destroy());
  const [first] = pending;
  if (first === undefined) return;
  if (areAllPending(pending))
    throw new StartupError(
      `The database at ${withoutPassword(url)} is empty: \`npm run db:migrate\` makes its tables.`,
    );
  throw new StartupError(
    `The database at ${withoutPassword(url)} lacks ${pending.length} ${pending.length === 1 ? 'migration' : 'migrations'} of this version, from ${first} on. \`npm run flightline -- upgrade\` saves a backup and runs them.`,
  );
}

/** Returns that nothing is known to be pending while the database is away; throws what no waiting mends. */
function waitForDatabase(url: string, error: unknown): [] {
  if (databaseTrouble(error) === undefined || refusalText(url, error) !== undefined) throwRefusal(url, error);
  pino({ base: undefined }).warn(
    `${unreachableText(url, error)} The server starts and waits for it: until it answers, pages say that they cannot be shown.`,
  );
  return [];
}

/** Throws in words that Postgres refuses this address, and any other error as it is. */
function throwRefusal(url: string, error: unknown): never {
  const text = refusalText(url, error);
  throw text === undefined ? error : new StartupError(text, { cause: error });
}

function unreachableText(url: string, error: unknown): string {
  return `The database at ${withoutPassword(url)} cannot be reached: ${messagesOf(error)}.`;
}

/** Says that Postgres refuses this address until somebody changes something, and what; undefined for any other error. */
function refusalText(url: string, error: unknown): string | undefined {
  const files = [...new URL(splitHosts(url)[0] ?? url).searchParams.values()];
  if (error instanceof Error && 'path' in error && files.includes(String(error.path)))
    return `The address of the database names a file that cannot be read. ${systemErrorText(error) ?? error.message} See \`sslrootcert\` in .env.example.`;
  const cure = findCure(databaseRoleOf(url), error);
  if (cure === undefined) return undefined;
  return `Postgres refuses ${databaseRoleOf(url)} at ${withoutPassword(url)}: ${messagesOf(error)}. ${cure}`;
}

function findCure(role: string, error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (isTlsRefused(error))
    return 'The `sslmode` and `sslrootcert` of its address say how it is encrypted: see .env.example.';
  if (/password must be a/.test(error.message)) return `Put the password of ${role} into its address in the settings.`;
  switch ('code' in error && error.code) {
    case '42501':
      return '`npm run flightline -- upgrade`, with DATABASE_OWNER_URL as .env.example says, gives the server its rights.';
    case '3D000':
      return 'Make that database with `createdb`, or put the name of the right one into its address in the settings.';
    case '28P01':
      return `Put the password of ${role} into its address in the settings, or set it anew in Postgres.`;
    case '22023':
    case '42704':
      return 'Take what it does not know out of the `options` of its address in the settings.';
    case '28000':
      return cureOfRole(role, error.message);
    default:
      return undefined;
  }
}

function cureOfRole(role: string, message: string): string {
  if (message.includes('does not exist'))
    return 'Make that role with `createuser`, or put the name of the right one into its address in the settings.';
  if (message.includes('not permitted to log in')) return `\`alter role "${role}" login\` permits it.`;
  return 'The file pg_hba.conf of that Postgres says who may sign in from where, and how.';
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
