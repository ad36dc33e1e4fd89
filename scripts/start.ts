import { readSettings } from '#app/settings.server.ts';
import { provideDatabase } from './launcher/database.ts';
import { loadEnvironment } from './launcher/environment.ts';
import { assertPortFree } from './launcher/port.ts';
import { runServer } from './launcher/run.ts';
import { serveBuild } from './launcher/serve.ts';

/** `npm start`: one process that serves the build; /readyz tells when the schema waits for `npm run db:migrate`. */
await runServer(async () => {
  const settings = loadEnvironment();
  await assertPortFree(settings.PORT, settings.HOST);
  await provideDatabase(settings);
  readSettings(process.env);
  await serveBuild(settings);
});
