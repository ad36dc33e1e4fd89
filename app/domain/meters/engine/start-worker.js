import { createRequire } from 'node:module';
import { workerData } from 'node:worker_threads';
import { threadId } from './thread-id.js';

// The id is set before anything is loaded, because loading counts as work.
workerData.threadId[0] = threadId();
if (import.meta.env?.PROD) {
  await import('./worker.ts');
} else {
  // Workers inherit no TypeScript loader; that for `require` takes 30 MB less than that for `import`.
  const { register } = await import('tsx/cjs/api');
  register();
  createRequire(import.meta.url)('./worker.ts');
}
