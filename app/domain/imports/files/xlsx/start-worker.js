import { createRequire } from 'node:module';
import { workerData } from 'node:worker_threads';
import { register } from 'tsx/cjs/api';
import { threadId } from '../../../meters/engine/thread-id.js';

// Set before anything is loaded, because loading counts as work.
workerData.threadId[0] = threadId();
register();
createRequire(import.meta.url)('./worker.ts');
