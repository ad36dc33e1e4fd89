import { createServer } from 'node:net';
import { StartupError } from '#db/startup-error.ts';

/** Throws a StartupError when the port is taken or may not be used. */
export async function assertPortFree(port: number, host: string): Promise<void> {
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
