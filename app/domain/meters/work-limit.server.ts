import { readFileSync } from 'node:fs';

/** Milliseconds a thread has had a processor, and has slept; waiting for a processor counts as neither. */
export interface ThreadTimes {
  work: number;
  sleep: number;
}

const CHECK_EVERY_MS = 200;

/**
 * The promise's value; rejects once the thread that `timesOf` reads has worked or slept beyond the limit, or has ended.
 * However busy the machine is, the same work counts the same.
 */
export async function withinWork<T>(
  promise: Promise<T>,
  limit: ThreadTimes,
  timesOf: () => ThreadTimes | undefined,
): Promise<T> {
  let before = timesOf();
  let timer: NodeJS.Timeout | undefined;
  const exceeded = new Promise<never>((_resolve, reject) => {
    timer = setInterval(() => {
      const now = timesOf();
      if (before && !now) reject(new Error('the thread ended'));
      before ??= now;
      if (before && now && isBeyond(limit, before, now)) reject(new Error('the thread took too long'));
    }, CHECK_EVERY_MS);
  });
  try {
    return await Promise.race([promise, exceeded]);
  } finally {
    clearInterval(timer);
  }
}

function isBeyond(limit: ThreadTimes, before: ThreadTimes, now: ThreadTimes): boolean {
  return now.work - before.work > limit.work || now.sleep - before.sleep > limit.sleep;
}

/**
 * The times of a thread by what `engine/thread-id.js` calls it; undefined before it is known and once the thread has
 * ended. Where the system has no such id, 0, its work is counted by the clock.
 */
export function threadTimes(id: number | undefined): ThreadTimes | undefined {
  if (id === undefined) return undefined;
  if (id === 0) return { work: performance.now(), sleep: 0 };
  try {
    const schedule = readFileSync(`/proc/self/task/${id}/schedstat`, 'utf8');
    const [running = 0, queued = 0] = schedule.split(' ').map((nanoseconds) => Number(nanoseconds) / 1e6);
    return { work: running, sleep: performance.now() - running - queued };
  } catch {
    return undefined;
  }
}
