import type { Writable } from 'node:stream';

/** Sends as fast as the client reads, and reads no further once the client has left; Remix does neither. */
export async function sendStream(stream: ReadableStream<Uint8Array>, response: Writable): Promise<void> {
  const reader = stream.getReader();
  let goOn: (() => void) | undefined;
  let isEnded = false;
  // Of a download that is broken off while its client reads nothing, no 'drain' tells.
  const end = () => {
    isEnded = true;
    goOn?.();
  };
  reader.closed.then(end, end);
  response.on('drain', () => goOn?.());
  response.once('close', () => {
    goOn?.();
    void reader.cancel().catch(() => {});
  });
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      if (response.destroyed) return;
      if (!response.write(read.value) && !isEnded) await new Promise<void>((resolve) => (goOn = resolve));
    }
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  }
}
