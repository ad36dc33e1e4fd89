import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { assertNodeVersion, ensureInstalled } from './install.mjs';
import { removeUnneeded } from './production/unneeded.mjs';

// The file is plain JavaScript, because it runs before anything is installed.
assertNodeVersion();
process.chdir(path.resolve(import.meta.dirname, '..'));
await ensureInstalled();
const { register } = await import('tsx/esm/api');
register();
const { ensureBuild } = await import('./launcher/build.ts');
console.log(`  build      ${(await ensureBuild()) ? 'built' : 'unchanged'}`);
execFileSync('npm', ['prune', '--omit=dev', '--loglevel=error', '--no-audit', '--no-fund'], { stdio: 'inherit' });
const megabytes = Math.ceil((await removeUnneeded('node_modules')) / 2 ** 20);
console.log(`  packages   ${megabytes} MB`);
