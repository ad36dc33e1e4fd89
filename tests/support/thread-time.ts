import { readFileSync } from 'node:fs';

/** Milliseconds of processor time that this thread has had; of the clock where the system does not say (not Linux). */
export function threadTime(): number {
  try {
    const [nanoseconds] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return performance.now();
  }
}
