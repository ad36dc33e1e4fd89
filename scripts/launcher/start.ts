import { readSettings } from '#app/settings.server.ts';
import { ensureDatabase } from './database.ts';
import { loadEnvironment } from './environment.ts';
import { assertPortFree } from './port.ts';
import { runServer } from './run.ts';
import { serveBuild } from './serve.ts';

await runServer(async () => {
  const settings = loadEnvironment();
  await assertPortFree(settings.PORT, settings.HOST);
  await ensureDatabase(settings);
  readSettings(process.env);
  await serveBuild(settings);
});
