import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Kysely, type Migration, sql } from 'kysely';
import { FORMER_MIGRATIONS, isFormerMigration } from './former-migrations.ts';
import { grantStatementFor } from './product-role.ts';
import { StartupError } from './startup-error.ts';
import { databaseTrouble, isConnectionLost, isDiskFull } from './database-trouble.ts';

/** The number has no meaning; nothing else locks it. */
const MIGRATION_LOCK = 20_260_512;
/** Time-outs that a server may have set for everybody, and that would end a slow migration. */
const TIME_OUTS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
const MIGRATION_NAMES = readMigrationNames();
const BASELINE = MIGRATION_NAMES.filter((name) => name < '100');

export type Migrations = Record<string, Migration>;

/**
 * Brings the schema to the newest version in one transaction, safe with several processes at once, and lets the role
 * `product` use it; returns the names that ran. Throws a StartupError on a newer schema, one older than 0.1.0, a full disk, a
 * lost connection or a role that owns no tables.
 */
export async function migrateToLatest<Tables>(
  db: Kysely<Tables>,
  { product, load = loadMigrations }: { product?: string | undefined; load?: () => Promise<Migrations> } = {},
): Promise<string[]> {
  const migrations = await load();
  const migrating = db.transaction().execute(async (trx) => {
    await sql`select ${sql.join(TIME_OUTS.map((name) => sql`set_config(${name}, '0', true)`))}`.execute(trx);
    const names = await runInTransaction(trx, migrations, Object.keys(migrations));
    if (product !== undefined) await sql.raw(grantStatementFor(product)).execute(trx);
    return names;
  });
  return migrating.catch(throwMigrationTrouble);
}

/** Runs the pending `names`, or all, in the caller's transaction. Returns what ran. Throws as migrateToLatest. */
export async function migrateInTransaction<Tables>(trx: Kysely<Tables>, names = MIGRATION_NAMES): Promise<string[]> {
  const migrations = await loadMigrations();
  return runInTransaction(trx, migrations, names).catch(throwMigrationTrouble);
}

async function runInTransaction<Tables>(
  trx: Kysely<Tables>,
  migrations: Migrations,
  names: string[],
): Promise<string[]> {
  await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx);
  await assertKnownSchema(trx);
  if (!(await hasMigrationTable(trx))) await createMigrationTables(trx);
  await recordBaseline(trx);
  const executed = new Set(await findExecutedMigrations(trx));
  // A database may have run a later number of another branch, so each name is looked up.
  const pending = names.filter((name) => !executed.has(name));
  for (const name of pending) {
    await migrations[name]?.up(trx);
    await sql`insert into kysely_migration values (${name}, ${new Date().toISOString()})`.execute(trx);
  }
  return pending;
}

/** The tables in which Kysely's migrator, the one of earlier versions, recorded what it ran. */
async function createMigrationTables<Tables>(trx: Kysely<Tables>): Promise<void> {
  await sql`
    create table kysely_migration
      (name varchar(255) not null primary key, timestamp varchar(255) not null);
    create table kysely_migration_lock
      (id varchar(255) not null primary key, is_locked integer default 0 not null);
    insert into kysely_migration_lock values ('migration_lock', 0)`.execute(trx);
}

async function recordBaseline<Tables>(trx: Kysely<Tables>): Promise<void> {
  if (!(await hasFormerSchema(trx))) return;
  await sql`
    with former as (
      delete from kysely_migration where name in (${sql.join(FORMER_MIGRATIONS)}) returning timestamp
    )
    insert into kysely_migration (name, timestamp)
      select name, max(timestamp) from former cross join unnest(${sql.val(BASELINE)}::text[]) as name group by name`.execute(
    trx,
  );
}

/** Returns true if the database is one of version 0.1.0, whose migrations are about to be replaced by the baseline. */
export async function hasFormerSchema<Tables>(db: Kysely<Tables>): Promise<boolean> {
  const executed = new Set(await findExecutedMigrations(db));
  return FORMER_MIGRATIONS.every((name) => executed.has(name));
}

/** Tells the person who migrates what `hasFormerSchema` means. */
export const FORMER_SCHEMA_TEXT =
  `The database is of version 0.1.0: its ${FORMER_MIGRATIONS.length} migrations are now recorded as ${BASELINE[0]} to ` +
  `${BASELINE.at(-1)}, which make the same tables. No row of a school was changed by that.`;

/** Returns true if these pending migrations are all that there are, so that the database has no table of Flightline's. */
export function areAllPending(pending: string[]): boolean {
  return pending.length === MIGRATION_NAMES.length;
}

/** Returns the names of the migrations this database has yet to run, in order. Writes nothing. */
export async function findPendingMigrations<Tables>(db: Kysely<Tables>): Promise<string[]> {
  const executed = new Set(toCurrentMigrationNames(await findExecutedMigrations(db)));
  return MIGRATION_NAMES.filter((name) => !executed.has(name));
}

/** Returns the names of the migrations this database has run, as they are recorded, in order. */
export async function findExecutedMigrations<Tables>(db: Kysely<Tables>): Promise<string[]> {
  if (!(await hasMigrationTable(db))) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map(({ name }) => name).toSorted();
}

/** Turns names recorded by version 0.1.0 into this version's; others stay as they are. */
export function toCurrentMigrationNames(names: string[]): string[] {
  if (!FORMER_MIGRATIONS.every((name) => names.includes(name))) return names;
  return [...BASELINE, ...names.filter((name) => !isFormerMigration(name))];
}

/** Says why this version knows no way on from the schema that ran these migrations; undefined if it does. */
export function unknownSchemaText(executed: string[]): string | undefined {
  const newer = executed.filter((name) => !MIGRATION_NAMES.includes(name) && !isFormerMigration(name));
  if (newer.length > 0)
    return `The schema is newer than this version of Flightline: it has ${newer.join(', ')}. Use the version that made it, or a later one.`;
  const missing = FORMER_MIGRATIONS.filter((name) => !executed.includes(name));
  if (missing.length > 0 && executed.some(isFormerMigration))
    return `The schema is older than version 0.1.0 of Flightline: it lacks ${missing.join(', ')}. Bring it up to date with version 0.1.0 first.`;
  return undefined;
}

/** Throws a StartupError for a database of a newer version, or of one before 0.1.0. */
export async function assertKnownSchema<Tables>(db: Kysely<Tables>): Promise<void> {
  const unknown = unknownSchemaText(await findExecutedMigrations(db));
  if (unknown !== undefined) throw new StartupError(unknown);
}

/** Loads every migration by name, in the order they run. A released one is never edited. */
export async function loadMigrations(): Promise<Migrations> {
  const modules = MIGRATION_NAMES.map(async (name) => [name, await import(`./migrations/${name}.ts`)] as const);
  return Object.fromEntries(await Promise.all(modules));
}

function readMigrationNames(): string[] {
  // The folder is found by package path, because the build moves this module.
  const folder = path.resolve(createRequire(import.meta.url).resolve('#db/migrate.ts'), '../migrations');
  return readdirSync(folder)
    .filter((file) => /^\d{3}-.*\.ts$/.test(file))
    .map((file) => path.basename(file, '.ts'))
    .toSorted();
}

async function hasMigrationTable<Tables>(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('kysely_migration') is not null as found`.execute(db);
  return rows[0]?.found ?? false;
}

const INSUFFICIENT_PRIVILEGE = '42501';
const AS_IT_WAS = 'the schema could not be brought up to date, and is as it was.';

/** Throws a full disk or a lost connection in words, and any other error of the migrations as it is. */
export function throwMigrationTrouble(error: unknown): never {
  const sentence = describeTrouble(error);
  if (!(error instanceof Error) || sentence === undefined) throw error;
  throw new StartupError(`${sentence}\n\n${error.message}`, { cause: error });
}

function describeTrouble(error: unknown): string | undefined {
  if (isDiskFull(error))
    return `The disk of Postgres is full: ${AS_IT_WAS} Make room on that disk and run the command again.`;
  if (error instanceof Error && 'code' in error && error.code === INSUFFICIENT_PRIVILEGE)
    return `The tables belong to another role than the one of this address: ${AS_IT_WAS} Set DATABASE_OWNER_URL, which .env.example explains.`;
  if (databaseTrouble(error) === 'unreachable' || isConnectionLost(error))
    return `The connection to Postgres ended: ${AS_IT_WAS} What ended it is below, and may be in the log of Postgres. Run the command again once Postgres serves.`;
  return undefined;
}
