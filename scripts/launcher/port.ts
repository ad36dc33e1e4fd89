import { once } from 'node:events';
import { createServer } from 'node:net';
import { StartupError } from '#db/startup-error.ts';
import type { LaunchSettings } from './environment.ts';

/** Throws a StartupError if the port is taken or may not be used. PORT=0 takes a free one and keeps it. */
export async function takePort(settings: LaunchSettings): Promise<LaunchSettings> {
  await assertPortFree(settings.PORT, settings.HOST);
  if (settings.PORT !== 0) return settings;
  const port = await keepFreePort(settings.HOST);
  process.env.PORT = String(port);
  const url = settings.APP_URL?.replace(/:0\/?$/, `:${port}`);
  if (url !== undefined) process.env.APP_URL = url;
  return { ...settings, PORT: port, APP_URL: url };
}

async function assertPortFree(port: number, host: string): Promise<void> {
  // 'localhost' may resolve to either address.
  const addresses = host === '127.0.0.1' ? [host, '::1'] : [host];
  for (const address of addresses) {
    const code = await findListenError(port, address);
    if (code === 'EADDRINUSE') {
      throw new StartupError(
        `Port ${port} is taken: stop the program that listens there, or choose another with PORT=${port + 1}.`,
      );
    }
    if (code === 'EACCES')
      throw new StartupError(`Port ${port} is not for this user: choose one above 1023 with PORT.`);
    if (code !== undefined && address === host)
      throw new StartupError(`HOST ${host} is no address of this machine (${code}).`);
  }
}

function findListenError(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

/** Keeps the socket open until the server takes the port over; a client that connects before is turned away. */
async function keepFreePort(host: string): Promise<number> {
  const keeper = createServer((socket) => socket.destroy());
  await once(keeper.listen(0, host), 'listening');
  const address = keeper.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  if (host === '127.0.0.1' && (await findListenError(port, '::1')) === 'EADDRINUSE') {
    keeper.close();
    return keepFreePort(host);
  }
  globalThis.keptPort = keeper;
  return port;
}
