import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';

/** Runs `work` for one image at a time; throws 'unavailable' past `maxWaiting` queued ones. */
export function serialQueue<In, Out>(
  work: (image: In) => Promise<Out>,
  maxWaiting: number,
): (image: In) => Promise<Out> {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return async (image) => {
    if (waiting >= maxWaiting) throw new AppError('unavailable', texts.tooManyPhotosWaiting);
    waiting += 1;
    const turn = last.then(() => work(image));
    last = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      waiting -= 1;
    }
  };
}

export async function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`the engine took over ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
