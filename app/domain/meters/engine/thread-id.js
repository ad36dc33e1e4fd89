import { readFileSync, readlinkSync } from 'node:fs';

/** Returns the system's id of this thread; 0 if its times cannot be read. */
export function threadId() {
  try {
    readFileSync('/proc/thread-self/schedstat');
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return 0;
  }
}
