import { once } from 'node:events';
import { createRequestHandler, type ServerBuild } from '@remix-run/node';
import { createServer } from 'vite';
import { z } from 'zod';
import { onShutdown } from '#app/server/remix-serve/shutdown.server.ts';
import { ensureDatabase, migrate, withDatabase } from './launcher/database.ts';
import { seedIfEmpty } from './launcher/demo.ts';
import { loadEnvironment, type LaunchSettings } from './launcher/environment.ts';
import { takePort } from './launcher/port.ts';
import { runServer } from './launcher/run.ts';
import { ensureSessionSecret } from './launcher/secret.ts';

const serverBuild = z.custom<ServerBuild>();

await runServer(async () => {
  const settings = await takePort(loadEnvironment('development'));
  process.env.LOG_LEVEL ||= 'warn';
  await ensureSessionSecret(settings.DATA_DIR);
  const addresses = await ensureDatabase(settings);
  await migrate(addresses);
  await withDatabase(addresses.url, seedIfEmpty);
  await serveSource(settings);
});

/** The same front as in production; behind it Vite, and Remix with the build that Vite makes as the source changes. */
async function serveSource({ PORT, HOST, APP_URL = `http://localhost:${PORT}` }: LaunchSettings): Promise<void> {
  // They read the settings as they are loaded.
  const { createFrontOfProcess } = await import('#app/server/remix-serve/front.server.ts');
  const { sendResponse, toRequest } = await import('#app/server/remix-serve/exchange.server.ts');
  const server = createFrontOfProcess({
    answer: (incoming, response) =>
      vite.middlewares(incoming, response, async () => {
        const build = serverBuild.parse(await vite.ssrLoadModule('virtual:remix/server-build'));
        const answer = await createRequestHandler(build, 'development')(toRequest(incoming, response, APP_URL));
        await sendResponse(answer, response);
      }),
  });
  const vite = await createServer({ appType: 'custom', server: { middlewareMode: true, hmr: { server } } });
  onShutdown('work', () => vite.close());
  await once(globalThis.keptPort ? server.listen(globalThis.keptPort) : server.listen(PORT, HOST), 'listening');
  console.log(`\n  Local:   http://localhost:${PORT}/\n`);
}
