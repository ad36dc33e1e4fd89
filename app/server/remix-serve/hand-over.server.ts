import http, { type Server } from 'node:http';
import type { Server as ListeningServer } from 'node:net';

declare global {
  /** Listens already where PORT was 0; global, since the launcher and the build load their own copies. */
  var keptPort: ListeningServer | undefined;
}

/**
 * Has remix-serve listen with `server`. It offers no door before Express, so this stands where Express makes its server,
 * by `http.createServer`, for the next call alone: the one patch there is, held by tests/unit/remix-serve.test.ts.
 */
export function handServerToRemix(server: Server): void {
  const { createServer } = http;
  const { listen } = server;
  Object.assign(server, {
    listen: (...words: unknown[]) =>
      Reflect.apply(listen, server, globalThis.keptPort ? [globalThis.keptPort, words.at(-1)] : words),
    // remix-serve closes it at a signal; it drains, and ends with the process.
    close: () => server,
  });
  Object.assign(http, {
    createServer: () => {
      Object.assign(http, { createServer });
      return server;
    },
  });
}
