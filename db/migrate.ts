import { type Kysely, Migrator } from 'kysely';
import { migrations } from './migrations/index.ts';

/**
 * Brings the schema to head; safe when several processes start at once (Kysely locks).
 * Throws the first failing migration's error.
 */
export async function migrateToLatest<Tables>(db: Kysely<Tables>): Promise<string[]> {
  const { error, results = [] } = await migrator(db).migrateToLatest();
  if (error) throw error;
  return results.map((result) => result.migrationName);
}

/** Names of the migrations this database has yet to run; empty at head. */
export async function pendingMigrations<Tables>(db: Kysely<Tables>): Promise<string[]> {
  const known = await migrator(db).getMigrations();
  return known.filter((migration) => !migration.executedAt).map((migration) => migration.name);
}

function migrator<Tables>(db: Kysely<Tables>): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => migrations } });
}
