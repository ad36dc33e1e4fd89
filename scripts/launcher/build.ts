import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { onShutdown } from '#app/server/remix-serve/shutdown.server.ts';
import { StartupError } from '#db/startup-error.ts';

const INPUTS = [
  'app',
  'db',
  'public',
  'package.json',
  'package-lock.json',
  'remix.config.js',
  'tsconfig.json',
  'vite.config.ts',
  'scripts',
];
const INPUTS_HASH_FILE = 'build/inputs.sha256';

/** Builds unless the inputs are unchanged, and calls `began` first. Returns true if it built; throws a StartupError if it failed. */
export async function ensureBuild(began = () => {}): Promise<boolean> {
  const inputsHash = await hashFiles(INPUTS);
  if (inputsHash === (await readFile(INPUTS_HASH_FILE, 'utf8').catch(() => undefined))) return false;
  began();
  await rm('build', { recursive: true, force: true });
  await build();
  await writeFile(INPUTS_HASH_FILE, inputsHash);
  return true;
}

/** Builds as `npm run build` does; the build ends when this process does. */
async function build(): Promise<void> {
  await run('@remix-run/dev/dist/cli.js', 'vite:build');
  await run('vite/bin/vite.js', 'build', '--config', 'scripts/launcher/vite.config.ts');
}

async function run(program: string, ...args: string[]): Promise<void> {
  const child = spawn(process.execPath, [path.resolve('node_modules', program), ...args], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onShutdown('work', async () => void child.kill());
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new StartupError(`${output.trim()}\n\nThe build failed.`);
}

async function hashFiles(paths: string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of (await Promise.all(paths.map(listFiles))).flat().sort()) {
    hash
      .update(`${file}\0`)
      .update(await readFile(file))
      .update('\0');
  }
  return hash.digest('hex');
}

async function listFiles(fileOrFolder: string): Promise<string[]> {
  if (path.extname(fileOrFolder)) return [fileOrFolder];
  const found = await readdir(fileOrFolder, { recursive: true, withFileTypes: true }).catch(() => []);
  return found.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}
