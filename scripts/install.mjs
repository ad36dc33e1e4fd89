import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';

// The file is plain JavaScript, because it runs before anything is installed.

/** Exits with a message on a Node that is too old. */
export function assertNodeVersion() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Flightline needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Runs `npm ci` unless node_modules already is what the lockfile says; returns true if it did. */
export async function ensureInstalled() {
  if (await isInstalled()) return false;
  const npm = spawn('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => npm.kill(signal));
  const [code] = await once(npm, 'close');
  if (code === 0) return true;
  console.error('\nThe packages could not be installed: `npm ci` says why above.');
  return process.exit(1);
}

/** npm writes its copy of the lockfile last, so a killed install does not count. */
async function isInstalled() {
  try {
    const locked = await packagesOf('package-lock.json');
    const installed = await packagesOf('node_modules/.package-lock.json');
    return Object.entries(locked).every(
      ([folder, { version, optional, link }]) =>
        folder === '' || link || installed[folder]?.version === version || (optional && !installed[folder]),
    );
  } catch {
    return false;
  }
}

async function packagesOf(lockfile) {
  return JSON.parse(await readFile(lockfile, 'utf8')).packages;
}
