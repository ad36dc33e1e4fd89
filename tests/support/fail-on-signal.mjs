import { isMainThread } from 'node:worker_threads';

// Loaded by --import: SIGUSR2 drops a promise that fails, SIGWINCH throws what nobody catches.
if (isMainThread) {
  process.on('SIGUSR2', function drop() {
    // A server that has not told itself yet that it serves would end, as it should.
    if (process.listenerCount('unhandledRejection') === 0) setTimeout(drop, 50);
    else void Promise.reject(new Error('dropped on purpose'));
  });
  process.on('SIGWINCH', () => {
    throw new Error('thrown on purpose');
  });
}
