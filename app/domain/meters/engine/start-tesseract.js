import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { threadId } from './thread-id.js';

// Tesseract passes progress on to its logger: the one way for this thread to name itself.
parentPort?.postMessage({ status: 'progress', data: { status: 'thread id', progress: threadId() } });
createRequire(import.meta.url)('tesseract.js/src/worker-script/node/index.js');
