import { workerData } from 'node:worker_threads';
import { threadId } from './thread-id.js';

// The id is set before anything is loaded, because loading counts as work.
workerData.threadId[0] = threadId();
if (import.meta.env?.PROD) {
  await import('./worker.ts');
} else {
  const { loadTypeScriptSource } = await import('../../load-source.js');
  loadTypeScriptSource(import.meta.url, './worker.ts');
}
