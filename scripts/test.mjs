import path from 'node:path';
import { assertNode, ensureInstalled } from './install.mjs';

// `npm test`, stage one: runs with nothing installed, makes sure everything is, and hands over.
assertNode();
process.chdir(path.resolve(import.meta.dirname, '..'));
await ensureInstalled();
const { register } = await import('tsx/esm/api');
register();
await import('./test.ts');
