import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { FIRST_RELAUNCH_DELAY_MS, MAX_RELAUNCH_DELAY_MS } from '../deadlines.ts';
import { databaseRestartChannel, noteEmbeddedTrouble } from './trouble.ts';

interface Lease {
  acquire(): Promise<pg.Client>;
  release(client: pg.Client): Promise<void>;
}

export interface SupervisionOptions {
  /** Called after each start that failed, and with undefined once the server is back. */
  onTrouble?: (reason: string | undefined) => void;
  firstDelayMs?: number;
}

/** Acquires the lease and, until it is released, acquires it again whenever it was lost, with growing pauses. */
export function superviseLease(lease: Lease, supervision: SupervisionOptions) {
  const released = new AbortController();
  let releasing: Promise<void> | undefined;
  let current = lease.acquire().then(watch);
  current.catch(() => {});

  function watch(client: pg.Client): pg.Client {
    client.once('end', () => {
      if (released.signal.aborted) return;
      databaseRestartChannel.publish({});
      current = reacquire(lease, supervision, released.signal).then(watch);
      // Prevents an unhandled rejection; `release` still sees the error.
      current.catch(() => {});
    });
    return client;
  }

  async function release(): Promise<void> {
    released.abort();
    const client = await current.catch(() => undefined);
    if (client) await lease.release(client);
  }

  return { acquired: () => current, release: () => (releasing ??= release()) };
}

/** Tries until it succeeds; rejects only when it is to stop. */
async function reacquire(
  lease: Lease,
  { onTrouble = () => {}, firstDelayMs = FIRST_RELAUNCH_DELAY_MS }: SupervisionOptions,
  stopping: AbortSignal,
): Promise<pg.Client> {
  for (let delay = firstDelayMs; ; delay = nextDelay(delay)) {
    try {
      const client = await lease.acquire();
      noteEmbeddedTrouble(undefined);
      onTrouble(undefined);
      return client;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      noteEmbeddedTrouble(reason);
      onTrouble(reason);
    }
    await sleep(delay, undefined, { signal: stopping });
  }
}

export function nextDelay(delay: number): number {
  return Math.min(2 * delay, MAX_RELAUNCH_DELAY_MS);
}
