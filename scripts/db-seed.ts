import { StartupError } from '#db/startup-error.ts';
import { ensureDatabase, migrate, withDatabase } from './launcher/database.ts';
import { describeDemoLogins, refuseDemo, seedIfEmpty } from './launcher/demo.ts';
import { loadEnvironment } from './launcher/environment.ts';
import { runCommand } from './launcher/run.ts';

await runCommand(async () => {
  const settings = loadEnvironment();
  const refusal = refuseDemo(settings.APP_URL, process.argv);
  if (refusal !== undefined) throw new StartupError(refusal);
  const addresses = await ensureDatabase(settings);
  await migrate(addresses);
  await withDatabase(addresses.url, async (db) => {
    if (!(await seedIfEmpty(db))) throw new StartupError('This database already holds a school: it is left as it is.');
    console.log(`The demo school moved in. Sign in as:\n${(await describeDemoLogins(db)).join('\n')}`);
  });
});
