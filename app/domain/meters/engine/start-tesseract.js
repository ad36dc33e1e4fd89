import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { threadId } from './thread-id.js';

// The thread id goes as progress, the only message that Tesseract passes on.
parentPort?.postMessage({ status: 'progress', data: { status: 'thread id', progress: threadId() } });
createRequire(import.meta.url)('tesseract.js/src/worker-script/node/index.js');
