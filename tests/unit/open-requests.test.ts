import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { OpenRequests } from '#app/server/remix-serve/shutdown.server.ts';
import { listen } from '#tests/support/listen.ts';
import { openSocket, readRawAnswer } from '#tests/support/raw.ts';

const REQUEST = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n';
/** Longer than any test waits. */
const FOR_EVER_MS = 2 ** 30;

async function serve(exchanges: OpenRequests): Promise<{ server: Server; url: string }> {
  const server = createServer((_request, response) => {
    exchanges.add(response);
    response.end('done');
  });
  onTestFinished(() => {
    globalThis.isShuttingDown = false;
    server.closeAllConnections();
  });
  return { server, url: await listen(server) };
}

it('a server that ends answers what a proxy sends over an idle connection, and then closes it (B967)', async () => {
  const exchanges = new OpenRequests();
  const { server, url } = await serve(exchanges);
  const socket = await openSocket(url, REQUEST);
  await once(socket, 'data');
  globalThis.isShuttingDown = true;
  const drained = exchanges.drain(server, FOR_EVER_MS);
  await expect.poll(() => server.listening, { timeout: 120_000 }).toBe(false);
  socket.write(REQUEST);
  const { status, text } = await readRawAnswer(socket);
  expect([status, text.toLowerCase()]).toEqual([200, expect.stringContaining('connection: close')]);
  await drained;
});

it('without a proxy a server that ends closes what is idle at once (B967)', async () => {
  const exchanges = new OpenRequests();
  const { server, url } = await serve(exchanges);
  const socket = await openSocket(url, REQUEST);
  await once(socket, 'data');
  globalThis.isShuttingDown = true;
  const closed = once(socket, 'close');
  await exchanges.drain(server, 0);
  await closed;
});

it('the answer to a request that is in progress as a server ends closes its connection (B967)', async () => {
  const exchanges = new OpenRequests();
  const server = createServer((_request, response) => {
    exchanges.add(response);
    exchanges.closeConnections();
    response.end('done');
  });
  onTestFinished(() => void server.close());
  const socket = await openSocket(await listen(server), REQUEST);
  expect((await readRawAnswer(socket)).text.toLowerCase()).toContain('connection: close');
});
