import { readFileSync, readlinkSync } from 'node:fs';

/** The system's id for this thread; 0 where it has none under which its times could be read. */
export function threadId() {
  try {
    readFileSync('/proc/thread-self/schedstat');
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return 0;
  }
}
