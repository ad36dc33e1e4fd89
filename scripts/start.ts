import { readSettings } from '#app/settings.server.ts';
import { ensureDatabase } from './launcher/database.ts';
import { loadEnvironment } from './launcher/environment.ts';
import { assertPortFree } from './launcher/port.ts';
import { runServer } from './launcher/run.ts';
import { serveBuild } from './launcher/serve.ts';

await runServer(async () => {
  const settings = loadEnvironment();
  await assertPortFree(settings.PORT, settings.HOST);
  await ensureDatabase(settings);
  readSettings(process.env);
  await serveBuild(settings);
});
