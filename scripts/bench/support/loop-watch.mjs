import { readFileSync } from 'node:fs';

// Comes before the product, as its parent asks. The thread's own time, since a busy machine holds up every loop.
const INTERVAL_MS = 5;
const threadTime = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

let last = threadTime();
let longest = 0;

setInterval(() => {
  const now = threadTime();
  longest = Math.max(longest, now - last);
  last = now;
}, INTERVAL_MS).unref();

process.on('message', () => {
  process.send?.({ longest });
  longest = 0;
});
