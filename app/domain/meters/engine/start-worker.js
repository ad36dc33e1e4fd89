import { createRequire } from 'node:module';
import { register } from 'tsx/cjs/api';

// A thread does not inherit the process's loader of TypeScript, and the built server has none. The one for `require`
// needs no thread of its own, as that for `import` does: 30 MB less.
register();
createRequire(import.meta.url)('./worker.ts');
