import { FORMER_SCHEMA_TEXT, hasFormerSchema } from '#db/migrate.ts';
import { ensureDatabase, migrate, withDatabase } from './launcher/database.ts';
import { loadEnvironment } from './launcher/environment.ts';
import { runCommand } from './launcher/run.ts';

await runCommand(async () => {
  const addresses = await ensureDatabase(loadEnvironment());
  const isFormer = await withDatabase(addresses.ownerUrl, hasFormerSchema);
  const executed = await migrate(addresses);
  if (isFormer) console.log(FORMER_SCHEMA_TEXT);
  console.log(executed.length === 0 ? 'The schema is up to date.' : `Migrated: ${executed.join(', ')}.`);
});
