import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** The first port tried: it is below those that systems give to outgoing connections, which might take it first. */
const FIRST = 12_000;
const LAST = 32_000;

/** Returns a port that nobody listens on. */
export async function freePort(): Promise<number> {
  const port = randomInt(FIRST, LAST);
  const probe = createServer();
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return freePort();
  }
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
