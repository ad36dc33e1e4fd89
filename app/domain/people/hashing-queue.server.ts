import { availableParallelism } from 'node:os';
import { HASHING_RETRY_S, MAX_WAITING_HASHINGS } from '#app/limits.ts';
import { AppError } from '../app-error.ts';
import { FairQueue } from '../fair-queue.server.ts';
import { texts } from '../texts.ts';

export interface HashingSender {
  name: string;
  /** A device where the user has signed in before, which need not wait for others. */
  isKnown?: boolean;
}

// One core stays free of others' hashes, for known devices and for all other requests.
const queues = { known: new FairQueue(1), others: new FairQueue(Math.max(1, availableParallelism() - 1)) };

/** Throws 'unavailable' past the limit. */
export async function queueHashing<Result>(
  { name, isKnown = false }: HashingSender,
  work: () => Promise<Result>,
): Promise<Result> {
  const queue = isKnown ? queues.known : queues.others;
  if (queue.waiting >= MAX_WAITING_HASHINGS) {
    throw new AppError('unavailable', texts.tooManySignIns).retryAfter(HASHING_RETRY_S);
  }
  return queue.add(name, work);
}
