import { readFileSync } from 'node:fs';

/** Milliseconds on a processor and asleep; waiting for a processor counts as neither. */
export interface ThreadTimes {
  work: number;
  sleep: number;
}

const CHECK_EVERY_MS = 200;

/** Rejects once the thread has ended, or worked or slept beyond the limit; independent of the machine's load. */
export async function withWorkLimit<T>(
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

/** Reads the times; undefined without a known, running thread, wall-clock time if the id is 0. */
export function readThreadTimes(id: number | undefined): ThreadTimes | undefined {
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
