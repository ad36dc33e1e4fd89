import { createRequire } from 'node:module';
import { register } from 'tsx/cjs/api';

// Workers inherit no TypeScript loader; that for `require` takes 30 MB less than that for `import`.
register();
createRequire(import.meta.url)('./worker.ts');
