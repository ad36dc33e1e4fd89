import { readSettings } from '#app/settings.server.ts';
import { assertMigrated, ensureDatabase } from './database.ts';
import { loadEnvironment } from './environment.ts';
import { takePort } from './port.ts';
import { runServer } from './run.ts';
import { serveBuild } from './serve.ts';
import { warnOfTemporaryFolder } from './temporary-folder.ts';

await runServer(async () => {
  const settings = await takePort(loadEnvironment());
  await assertMigrated((await ensureDatabase(settings)).url);
  readSettings(process.env);
  await warnOfTemporaryFolder();
  await serveBuild(settings);
});
