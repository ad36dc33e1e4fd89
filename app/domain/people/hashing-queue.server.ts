import { availableParallelism } from 'node:os';
import PQueue from 'p-queue';
import { HASHING_RETRY_S, MAX_WAITING_HASHINGS } from '#app/limits.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';

export interface HashingSender {
  name: string;
  /** A device where the user has signed in before, which need not wait for others. */
  isKnown?: boolean;
}

// One core stays free of others' hashes, for known devices and for all other requests.
const queues = {
  known: new PQueue({ concurrency: 1 }),
  others: new PQueue({ concurrency: Math.max(1, availableParallelism() - 1) }),
};
const pendingBySender = new Map<string, number>();

/** Runs a sender's first work before another sender's second. Throws 'unavailable' past the limit. */
export async function queueHashing<Result>(
  { name, isKnown = false }: HashingSender,
  work: () => Promise<Result>,
): Promise<Result> {
  const queue = isKnown ? queues.known : queues.others;
  if (queue.size >= MAX_WAITING_HASHINGS) {
    throw new AppError('unavailable', texts.tooManySignIns).retryAfter(HASHING_RETRY_S);
  }
  const pending = pendingBySender.get(name) ?? 0;
  pendingBySender.set(name, pending + 1);
  try {
    return await queue.add(work, { priority: -pending });
  } finally {
    const left = (pendingBySender.get(name) ?? 1) - 1;
    if (left === 0) pendingBySender.delete(name);
    else pendingBySender.set(name, left);
  }
}
