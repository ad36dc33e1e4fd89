import path from 'node:path';
import { assertNodeVersion, ensureInstalled } from './install.mjs';

// Stage one of `npm test` runs with nothing installed, installs, and starts stage two.
assertNodeVersion();
process.chdir(path.resolve(import.meta.dirname, '..'));
await ensureInstalled();
const { register } = await import('tsx/esm/api');
register();
await import('./test.ts');
