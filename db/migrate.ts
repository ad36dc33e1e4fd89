import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import { throwMigrationTrouble } from './migration-trouble.ts';
import { RENAMED_MIGRATIONS } from './renamed-migrations.ts';
import { StartupError } from './startup-error.ts';

/** Any number that nothing else locks; Kysely's own is another one. */
const MIGRATION_LOCK = 20_260_512;
/** Of the transaction that waits for others, and then for the migrations. */
const NO_TIME_OUTS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
const MIGRATION_NAMES = readMigrationNames();

/** Brings the schema to the newest version, safe with several processes at once; returns the names that ran. Throws a StartupError on a newer schema, a full disk or a lost connection. */
export function migrateToLatest<Tables>(db: Kysely<Tables>): Promise<string[]> {
  // A lock of a transaction, on a connection of its own: that of a session means nothing behind a pooler of transactions.
  const migrating = db.transaction().execute(async (trx) => {
    await sql`select ${sql.join(NO_TIME_OUTS.map((name) => sql`set_config(${name}, '0', true)`))}`.execute(trx);
    // Kysely looks at the tables before it takes its own lock, and fails if another process renames one meanwhile.
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx);
    return runMigrations(db);
  });
  return migrating.catch(throwMigrationTrouble);
}

async function runMigrations<Tables>(db: Kysely<Tables>): Promise<string[]> {
  await renameExecutedMigrations(db);
  await assertSchemaNotNewer(db);
  // Unordered, as a database may have run a later number of another branch.
  const migrator = new Migrator({ db, provider: { getMigrations: loadMigrations }, allowUnorderedMigrations: true });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) throw error;
  return results.map((result) => result.migrationName);
}

/** Names of the migrations this database has yet to run, in order. Writes nothing. */
export async function pendingMigrations<Tables>(db: Kysely<Tables>): Promise<string[]> {
  const executed = new Set(await findExecutedMigrations(db));
  return MIGRATION_NAMES.filter((name) => !executed.has(name));
}

/** Names of the migrations that a newer version has run on this database, in order. */
export async function newerMigrations<Tables>(db: Kysely<Tables>): Promise<string[]> {
  return (await findExecutedMigrations(db)).filter((name) => !MIGRATION_NAMES.includes(name)).toSorted();
}

export function newerSchemaText(newer: string[]): string {
  return `The schema is newer than this version of Flightline: it has ${newer.join(', ')}. Use the version that made it, or a later one.`;
}

/** Names of the migrations this database has run, in order. */
export async function executedMigrations<Tables>(db: Kysely<Tables>): Promise<string[]> {
  return (await findExecutedMigrations(db)).toSorted();
}

/** Throws a StartupError for a database of a newer version. */
export async function assertSchemaNotNewer<Tables>(db: Kysely<Tables>): Promise<void> {
  const newer = await newerMigrations(db);
  if (newer.length > 0) throw new StartupError(newerSchemaText(newer));
}

/** Runs the pending ones of `names`, or of all, in the caller's transaction: they are rolled back with it. Returns what ran. Throws as migrateToLatest. */
export function migrateInTransaction<Tables>(trx: Kysely<Tables>, names = MIGRATION_NAMES): Promise<string[]> {
  return runInTransaction(trx, names).catch(throwMigrationTrouble);
}

async function runInTransaction<Tables>(trx: Kysely<Tables>, names: string[]): Promise<string[]> {
  await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx);
  await assertSchemaNotNewer(trx);
  await createMigrationTables(trx);
  await recordNewNames(trx);
  const executed = new Set(await findExecutedMigrations(trx));
  const pending = names.filter((name) => !executed.has(name));
  const migrations = await loadMigrations();
  for (const name of pending) {
    await migrations[name]?.up(trx);
    await sql`insert into kysely_migration values (${name}, ${new Date().toISOString()})`.execute(trx);
  }
  return pending;
}

async function createMigrationTables<Tables>(trx: Kysely<Tables>): Promise<void> {
  await sql`create table if not exists kysely_migration
    (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(trx);
  await sql`create table if not exists kysely_migration_lock
    (id varchar(255) not null primary key, is_locked integer default 0 not null)`.execute(trx);
  await sql`insert into kysely_migration_lock values ('migration_lock', 0) on conflict do nothing`.execute(trx);
}

/** Every migration by name, in the order they run. A released one is never edited. */
export async function loadMigrations(): Promise<Record<string, Migration>> {
  const modules = MIGRATION_NAMES.map(async (name) => [name, await import(`./migrations/${name}.ts`)] as const);
  return Object.fromEntries(await Promise.all(modules));
}

function readMigrationNames(): string[] {
  // Found by package path, because the build moves this module.
  const folder = path.resolve(createRequire(import.meta.url).resolve('#db/migrate.ts'), '../migrations');
  return readdirSync(folder)
    .filter((file) => /^\d{3}-.*\.ts$/.test(file))
    .map((file) => path.basename(file, '.ts'))
    .toSorted();
}

async function findExecutedMigrations<Tables>(db: Kysely<Tables>): Promise<string[]> {
  if (!(await hasMigrationTable(db))) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map(({ name }) => RENAMED_MIGRATIONS.get(name) ?? name);
}

async function renameExecutedMigrations<Tables>(db: Kysely<Tables>): Promise<void> {
  if (!(await hasMigrationTable(db))) return;
  await db.transaction().execute(recordNewNames);
}

async function recordNewNames<Tables>(trx: Kysely<Tables>): Promise<void> {
  // Waits for a process of an earlier release to commit the names it is about to record.
  await sql`lock table kysely_migration in share row exclusive mode`.execute(trx);
  for (const [formerName, name] of RENAMED_MIGRATIONS) {
    await sql`update kysely_migration set name = ${name} where name = ${formerName}`.execute(trx);
  }
}

async function hasMigrationTable<Tables>(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('kysely_migration') is not null as found`.execute(db);
  return rows[0]?.found ?? false;
}
