import { StartupError } from '#db/startup-error.ts';
import { migrateToLatest } from '#db/migrate.ts';
import { provideDatabase, withDatabase } from './launcher/database.ts';
import { demoSignIns, seedWhenEmpty } from './launcher/demo.ts';
import { loadEnvironment } from './launcher/environment.ts';
import { runCommand } from './launcher/run.ts';

/** `npm run db:seed`: fills an empty database with the demo school. */
await runCommand(async () => {
  const url = await provideDatabase(loadEnvironment());
  await withDatabase(url, async (db) => {
    await migrateToLatest(db);
    if (!(await seedWhenEmpty(db)))
      throw new StartupError('This database already holds a school: it is left as it is.');
    console.log(`The demo school moved in. Sign in as:\n${(await demoSignIns(db)).join('\n')}`);
  });
});
