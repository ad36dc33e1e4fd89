import path from 'node:path';
import { assertNodeVersion, ensureInstalled, showProgress } from './install.mjs';

// The file is plain JavaScript, because it runs before anything is installed; quickstart.ts or its bundle follows.
assertNodeVersion();
process.chdir(path.resolve(import.meta.dirname, '..'));
console.log('\nFlightline\n');
let hideProgress = () => {};
const installed = await ensureInstalled((packages) => {
  console.log(`  packages   installing ${packages.length}, a minute or two`);
  hideProgress = showProgress(packages);
});
hideProgress();
console.log(`  packages   ${installed ? 'installed' : 'in place'}`);
process.argv.splice(2, 0, 'quickstart');
await import('./command.mjs');
