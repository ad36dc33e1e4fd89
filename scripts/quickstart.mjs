import path from 'node:path';
import { assertNode, ensureInstalled } from './install.mjs';

// `npm run quickstart`, stage one: runs with nothing installed, makes sure everything is, and hands over.
assertNode();
process.chdir(path.resolve(import.meta.dirname, '..'));
console.log('\nFlightline\n');
console.log('  packages   checking');
const installed = await ensureInstalled();
console.log(`  packages   ${installed ? 'installed' : 'in place'}`);
const { register } = await import('tsx/esm/api');
register();
await import('./quickstart.ts');
