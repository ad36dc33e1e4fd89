import { createServer } from 'vite';
import { onShutdown } from '#app/server/remix-serve/shutdown.server.ts';
import { migrateToLatest } from '#db/migrate.ts';
import { ensureDatabase, withDatabase } from './launcher/database.ts';
import { seedIfEmpty } from './launcher/demo.ts';
import { loadEnvironment } from './launcher/environment.ts';
import { takePort } from './launcher/port.ts';
import { runServer } from './launcher/run.ts';
import { ensureSessionSecret } from './launcher/secret.ts';

await runServer(async () => {
  const settings = await takePort(loadEnvironment('development'));
  await ensureSessionSecret(settings.DATA_DIR);
  const url = await ensureDatabase(settings);
  await withDatabase(url, async (db) => {
    await migrateToLatest(db);
    await seedIfEmpty(db);
  });
  const vite = await createServer({ server: { port: settings.PORT, host: settings.HOST, strictPort: true } });
  onShutdown('work', () => vite.close());
  await vite.listen();
  vite.printUrls();
});
