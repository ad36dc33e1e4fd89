import { spawnSync } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';

/** Makes a client of the contract, compiles all calls of the specification against it, and lints it. Needs a network once. */
const SOURCES = path.join(import.meta.dirname, 'contract-clients');
const FOLDER = path.resolve('.data/contract-clients');

await mkdir(FOLDER, { recursive: true });
await cp(SOURCES, FOLDER, { recursive: true });
await cp('.npmrc', path.join(FOLDER, '.npmrc'));
// A test holds that the product answers as this file says.
await cp('docs/openapi.json', path.join(FOLDER, 'openapi.json'));
run('npm', ['install', '--no-audit', '--no-fund']);
run('npx', ['openapi-typescript', 'openapi.json', '--output', 'generated/openapi-typescript.ts']);
run('npx', ['tsc', '--project', '.']);
run('npx', ['redocly', 'lint', 'openapi.json', '--skip-rule=info-license']);
console.log('The client compiles, and the linter finds no error.');

function run(command: string, args: string[]): void {
  console.log(`${command} ${args.join(' ')}`);
  const { status } = spawnSync(command, args, { cwd: FOLDER, stdio: 'inherit' });
  if (status === 0) return;
  console.error(`${command} ${args[0]} failed.`);
  process.exit(1);
}
