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
];
/** Kept beside the build: what it was made from. */
const STAMP = 'build/inputs.sha256';

/** Builds unless the build was made from the same inputs. Returns whether it built; throws a BootError if it failed. */
export async function ensureBuild(): Promise<boolean> {
  const inputs = await digestOf(INPUTS);
  const made = await readFile(STAMP, 'utf8').catch(() => undefined);
  if (made === inputs) return false;
  // A build that is cut short must not pass for the one that was there.
  await rm('build', { recursive: true, force: true });
  await build();
  await writeFile(STAMP, inputs);
  return true;
}

async function build(): Promise<void> {
  const remix = path.resolve('node_modules/@remix-run/dev/dist/cli.js');
  const child = spawn(process.execPath, [remix, 'vite:build'], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onShutdown('work', async () => void child.kill());
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new StartupError(`${output.trim()}\n\nThe build failed.`);
}

async function digestOf(inputs: string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of (await Promise.all(inputs.map(filesOf))).flat().sort()) {
    hash
      .update(`${file}\0`)
      .update(await readFile(file))
      .update('\0');
  }
  return hash.digest('hex');
}

async function filesOf(place: string): Promise<string[]> {
  if (path.extname(place)) return [place];
  const found = await readdir(place, { recursive: true, withFileTypes: true }).catch(() => []);
  return found.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}
