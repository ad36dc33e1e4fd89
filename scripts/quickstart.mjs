import path from 'node:path';
import { assertNodeVersion, ensureInstalled } from './install.mjs';

// Plain JavaScript: runs before anything is installed, then loads quickstart.ts.
assertNodeVersion();
process.chdir(path.resolve(import.meta.dirname, '..'));
console.log('\nFlightline\n');
console.log('  packages   checking');
const installed = await ensureInstalled();
console.log(`  packages   ${installed ? 'installed' : 'in place'}`);
const { register } = await import('tsx/esm/api');
register();
await import('./quickstart.ts');
