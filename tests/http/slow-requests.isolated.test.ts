import type { Server } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFront } from '#app/server/remix-serve/front.server.ts';
import { frontSettings, listen } from '#tests/support/listen.ts';
import { openSocket, readRawAnswer } from '#tests/support/raw.ts';

const IDLE_MS = 30_000;
const HEAD = 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 6\r\n\r\n';

let server: Server, url: string, received: string;
/** Ends the work on the request, whose body has come. */
let finish: () => void;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  received = '';
  server = createFront(frontSettings, {
    answer: (request, response) => {
      const work = new Promise<void>((resolve) => (finish = resolve));
      const answer = async () => {
        for await (const part of request) received += part;
        await work;
        response.writeHead(200, { connection: 'close' }).end(received);
      };
      answer().catch(() => response.destroy());
    },
  });
  url = await listen(server);
});
afterEach(() => {
  vi.useRealTimers();
  server.close();
});

async function untilReceived(text: string): Promise<void> {
  while (received !== text) await new Promise((resolve) => setImmediate(resolve));
}

it('headers and bodies end; a body that stops coming for 30 seconds is 408 and closed (B519)', async () => {
  expect([server.headersTimeout, server.requestTimeout]).toEqual([15_000, 300_000]);
  const socket = await openSocket(url, `${HEAD}abc`);
  const answered = readRawAnswer(socket);
  await untilReceived('abc');
  vi.advanceTimersByTime(2 * IDLE_MS);
  expect(await answered).toMatchObject({ status: 408, text: expect.stringContaining('This request took too long.') });
});

it('a body that comes slowly is taken (B519)', async () => {
  const socket = await openSocket(url, `${HEAD}a`);
  const answered = readRawAnswer(socket);
  await untilReceived('a');
  for (const text of ['ab', 'abc', 'abcd', 'abcde', 'abcdef']) {
    vi.advanceTimersByTime(IDLE_MS / 2);
    socket.write(text.slice(-1));
    await untilReceived(text);
  }
  finish();
  expect(await answered).toMatchObject({ status: 200, text: expect.stringContaining('abcdef') });
});

it('a request whose body has come may be worked on for longer (B519)', async () => {
  const answered = readRawAnswer(await openSocket(url, `${HEAD}abcdef`));
  await untilReceived('abcdef');
  vi.advanceTimersByTime(4 * IDLE_MS);
  finish();
  expect(await answered).toMatchObject({ status: 200, text: expect.stringContaining('abcdef') });
});
