import { existsSync } from 'node:fs';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';

// Loaded by --import: ends the thread of the meter reader at its first photo, while the file of BREAK_READER is there.
if (!isMainThread && workerData?.models) {
  parentPort?.on('message', () => existsSync(process.env.BREAK_READER ?? '') && process.exit(1));
}
