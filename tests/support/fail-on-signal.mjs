import { isMainThread } from 'node:worker_threads';

// Loaded by --import: SIGUSR2 drops a promise that fails, SIGWINCH throws what nobody catches.
if (isMainThread) {
  process.on('SIGUSR2', () => void Promise.reject(new Error('dropped on purpose')));
  process.on('SIGWINCH', () => {
    throw new Error('thrown on purpose');
  });
}
