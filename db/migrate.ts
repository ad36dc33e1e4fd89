import { type Kysely, Migrator, sql } from 'kysely';
import { migrations, RENAMED_MIGRATIONS } from './migrations/index.ts';

/** Brings the schema to the newest version, safe with several processes at once; returns the names that ran. */
export async function migrateToLatest<Tables>(db: Kysely<Tables>): Promise<string[]> {
  await renameExecutedMigrations(db);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) throw error;
  return results.map((result) => result.migrationName);
}

/** Names of the migrations this database has yet to run, in order. Writes nothing. */
export async function pendingMigrations<Tables>(db: Kysely<Tables>): Promise<string[]> {
  const executed = new Set(await findExecutedMigrations(db));
  return Object.keys(migrations).filter((name) => !executed.has(name));
}

async function findExecutedMigrations<Tables>(db: Kysely<Tables>): Promise<string[]> {
  if (!(await hasMigrationTable(db))) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map(({ name }) => RENAMED_MIGRATIONS.get(name) ?? name);
}

async function renameExecutedMigrations<Tables>(db: Kysely<Tables>): Promise<void> {
  if (!(await hasMigrationTable(db))) return;
  await db.transaction().execute(async (trx) => {
    // Waits for a process of an earlier release to commit the names it is about to record.
    await sql`lock table kysely_migration in share row exclusive mode`.execute(trx);
    for (const [formerName, name] of RENAMED_MIGRATIONS) {
      await sql`update kysely_migration set name = ${name} where name = ${formerName}`.execute(trx);
    }
  });
}

async function hasMigrationTable<Tables>(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('kysely_migration') is not null as found`.execute(db);
  return rows[0]?.found ?? false;
}
