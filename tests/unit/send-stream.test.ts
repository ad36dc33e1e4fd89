import { Writable } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { sendStream } from '#app/server/remix-serve/exchange.server.ts';

/** A source that counts what was asked of it, and a client that takes each piece when it is told to. */
function exchange(pieces: number, fail?: Error) {
  const seen = { asked: 0, cancelled: false, taken: '' };
  let take: (() => void) | undefined;
  const source = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (seen.asked === pieces) return fail ? controller.error(fail) : controller.close();
        controller.enqueue(Buffer.from(String((seen.asked += 1))));
      },
      cancel: () => void (seen.cancelled = true),
    },
    { highWaterMark: 0 },
  );
  const client = new Writable({
    highWaterMark: 1,
    write: (piece: Buffer, _encoding, done) => {
      seen.taken += piece.toString();
      take = done;
    },
  });
  return { seen, source, client, takeOne: () => take?.() };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('no more is read than the client takes, and all of it arrives (B849)', async () => {
  const { seen, source, client, takeOne } = exchange(3);
  const sent = sendStream(source, client);
  await turn();
  expect(seen).toMatchObject({ asked: 1, taken: '1' });
  for (let piece = 0; piece < 3; piece += 1) {
    takeOne();
    await turn();
  }
  await sent;
  expect(seen.taken).toBe('123');
  expect(client.writableEnded).toBe(true);
});

it('nothing more is read once the client has left, also while it is waited for (B849)', async () => {
  const { seen, source, client } = exchange(3);
  const sent = sendStream(source, client);
  await turn();
  client.destroy();
  await sent;
  expect(seen).toMatchObject({ asked: 1, cancelled: true });
});

it('what fails on the way breaks the response off (B849)', async () => {
  const { source, client, takeOne } = exchange(1, new Error('gone'));
  const sent = sendStream(source, client);
  await turn();
  takeOne();
  await expect(sent).rejects.toThrow('gone');
  expect(client.destroyed).toBe(true);
});

it('a download that is broken off while its client takes nothing ends the connection (B516)', async () => {
  let breakOff: (() => void) | undefined;
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from('1'));
      breakOff = () => controller.error(new Error('nobody has read on'));
    },
  });
  const { client } = exchange(0);
  const sent = sendStream(source, client);
  sent.catch(() => {});
  await turn();
  expect(client.destroyed).toBe(false);
  breakOff?.();
  await expect(sent).rejects.toThrow('nobody has read on');
  expect(client.destroyed).toBe(true);
});

it('what was read in the moment in which the client left is not written any more (B849)', async () => {
  let give = () => {};
  const source = new ReadableStream<Uint8Array>({
    start: (controller) => void (give = () => controller.enqueue(Buffer.from('1'))),
  });
  const client = new Writable({ write: (_piece, _encoding, done) => done() });
  const write = vi.spyOn(client, 'write');
  const sent = sendStream(source, client);
  await turn();
  // As a microtask, so that the read is done before anybody is told of the close.
  await Promise.resolve().then(() => {
    client.destroy();
    give();
  });
  await sent;
  expect(write).not.toHaveBeenCalled();
});
