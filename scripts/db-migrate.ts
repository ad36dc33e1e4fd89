import { FORMER_SCHEMA_TEXT, hasFormerSchema, migrateToLatest } from '#db/migrate.ts';
import { ensureDatabase, withDatabase } from './launcher/database.ts';
import { loadEnvironment } from './launcher/environment.ts';
import { runCommand } from './launcher/run.ts';

await runCommand(async () => {
  const url = await ensureDatabase(loadEnvironment());
  const executed = await withDatabase(url, async (db) => {
    const isFormer = await hasFormerSchema(db);
    const names = await migrateToLatest(db);
    if (isFormer) console.log(FORMER_SCHEMA_TEXT);
    return names;
  });
  console.log(executed.length === 0 ? 'The schema is up to date.' : `Migrated: ${executed.join(', ')}.`);
});
