import PQueue from 'p-queue';
import { HASHING_RETRY_S, MAX_WAITING_HASHINGS, PARALLEL_HASHINGS } from '#app/limits.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';

const queue = new PQueue({ concurrency: PARALLEL_HASHINGS });
const pendingBySender = new Map<string, number>();

/** Runs a sender's first work before another sender's second. Throws 'unavailable' past the limit. */
export async function queueHashing<Result>(sender: string, work: () => Promise<Result>): Promise<Result> {
  if (queue.size >= MAX_WAITING_HASHINGS) {
    throw new AppError('unavailable', texts.tooManySignIns).retryAfter(HASHING_RETRY_S);
  }
  const pending = pendingBySender.get(sender) ?? 0;
  pendingBySender.set(sender, pending + 1);
  try {
    return await queue.add(work, { priority: -pending });
  } finally {
    const left = (pendingBySender.get(sender) ?? 1) - 1;
    if (left === 0) pendingBySender.delete(sender);
    else pendingBySender.set(sender, left);
  }
}
