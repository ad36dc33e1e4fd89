import { migrateToLatest } from '#db/migrate.ts';
import { provideDatabase, withDatabase } from './launcher/database.ts';
import { loadEnvironment } from './launcher/environment.ts';
import { runCommand } from './launcher/run.ts';

/** `npm run db:migrate`: brings the schema to what this version expects. */
await runCommand(async () => {
  const url = await provideDatabase(loadEnvironment());
  const run = await withDatabase(url, migrateToLatest);
  console.log(run.length === 0 ? 'The schema is up to date.' : `Migrated: ${run.join(', ')}.`);
});
