import path from 'node:path';
import { assertNodeVersion, ensureInstalled } from './install.mjs';

// Plain JavaScript: runs before anything is installed, then quickstart.ts or the build's bundle of it.
assertNodeVersion();
process.chdir(path.resolve(import.meta.dirname, '..'));
console.log('\nFlightline\n');
console.log('  packages   checking');
const installed = await ensureInstalled();
console.log(`  packages   ${installed ? 'installed' : 'in place'}`);
process.argv.splice(2, 0, 'quickstart');
await import('./command.mjs');
