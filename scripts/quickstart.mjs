import path from 'node:path';
import { assertNodeVersion, ensureInstalled } from './install.mjs';

// The file is plain JavaScript, because it runs before anything is installed; quickstart.ts or its bundle follows.
assertNodeVersion();
process.chdir(path.resolve(import.meta.dirname, '..'));
console.log('\nFlightline\n');
console.log('  packages   checking');
const installed = await ensureInstalled();
console.log(`  packages   ${installed ? 'installed' : 'in place'}`);
process.argv.splice(2, 0, 'quickstart');
await import('./command.mjs');
