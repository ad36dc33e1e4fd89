import PQueue from 'p-queue';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';

/** Queues calls of `work`, one at a time; throws 'unavailable' past `maxPending` of them, the running one included. */
export function queued<In, Out>(work: (input: In) => Promise<Out>, maxPending: number): (input: In) => Promise<Out> {
  const queue = new PQueue({ concurrency: 1 });
  return async (input) => {
    if (queue.size + queue.pending >= maxPending) throw new AppError('unavailable', texts.readersBusy);
    return queue.add(() => work(input));
  };
}
