import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';

/** Ends the process with a sentence on a Node that is too old. Plain JavaScript: nothing else may be installed yet. */
export function assertNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Flightline needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Runs `npm ci` unless node_modules already is what the lockfile says; returns whether it did. */
export async function ensureInstalled() {
  if (await isInstalled()) return false;
  const npm = spawn('npm', ['ci', '--include=dev', '--loglevel=error'], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => npm.kill(signal));
  const [code] = await once(npm, 'close');
  if (code === 0) return true;
  console.error('\nThe packages could not be installed: `npm ci` says why above.');
  return process.exit(1);
}

/** npm writes its own copy of the lockfile last, so that a killed install never looks whole. */
async function isInstalled() {
  try {
    const wanted = await packagesOf('package-lock.json');
    const present = await packagesOf('node_modules/.package-lock.json');
    return Object.entries(wanted).every(
      ([place, { version, optional, link }]) =>
        place === '' || link || present[place]?.version === version || (optional && !present[place]),
    );
  } catch {
    return false;
  }
}

async function packagesOf(lockfile) {
  return JSON.parse(await readFile(lockfile, 'utf8')).packages;
}
