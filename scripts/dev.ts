import { createServer } from 'vite';
import { onShutdown } from '#app/server/remix-serve/shutdown.server.ts';
import { migrateToLatest } from '#db/migrate.ts';
import { provideDatabase, withDatabase } from './launcher/database.ts';
import { seedWhenEmpty } from './launcher/demo.ts';
import { loadEnvironment } from './launcher/environment.ts';
import { assertPortFree } from './launcher/port.ts';
import { runServer } from './launcher/run.ts';
import { provideSecret } from './launcher/secret.ts';

/** `npm run dev`: the source served by Vite, reloaded as it changes, on a migrated database with the demo school. */
await runServer(async () => {
  const settings = loadEnvironment('development');
  await assertPortFree(settings.PORT, settings.HOST);
  await provideSecret(settings.DATA_DIR);
  const url = await provideDatabase(settings);
  await withDatabase(url, async (db) => {
    await migrateToLatest(db);
    await seedWhenEmpty(db);
  });
  const vite = await createServer({ server: { port: settings.PORT, host: settings.HOST, strictPort: true } });
  onShutdown('work', () => vite.close());
  await vite.listen();
  vite.printUrls();
});
