import { createRequire } from 'node:module';
import { workerData } from 'node:worker_threads';
import { register } from 'tsx/cjs/api';
import { threadId } from './thread-id.js';

// Known from the start, so that loading counts as work too.
workerData.threadId[0] = threadId();
// A thread does not inherit the process's loader of TypeScript, and the built server has none. The one for `require`
// needs no thread of its own, as that for `import` does: 30 MB less.
register();
createRequire(import.meta.url)('./worker.ts');
