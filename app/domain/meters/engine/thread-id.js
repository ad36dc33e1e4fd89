import { readFileSync, readlinkSync } from 'node:fs';

/** The system's id of this thread; 0 where its times cannot be read. */
export function threadId() {
  try {
    readFileSync('/proc/thread-self/schedstat');
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return 0;
  }
}
