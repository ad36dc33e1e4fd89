import PQueue from 'p-queue';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';

/** Runs `work` for one photo at a time; throws 'unavailable' past `maxPending`, the running one included. */
export function queuePhotos<In, Out>(
  work: (input: In) => Promise<Out>,
  maxPending: number,
): (input: In) => Promise<Out> {
  const queue = new PQueue({ concurrency: 1 });
  return async (input) => {
    if (queue.size + queue.pending >= maxPending) throw new AppError('unavailable', texts.tooManyPhotosWaiting);
    return queue.add(() => work(input));
  };
}
