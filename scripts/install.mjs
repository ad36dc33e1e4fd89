import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

// The file is plain JavaScript, because it runs before anything is installed.

const BAR_WIDTH = 30;
const REDRAW_MS = 300;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Exits with a message on a Node that is too old. */
export function assertNodeVersion() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Flightline needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Runs `npm ci` unless node_modules already is what the lockfile says; `began` gets the folders that it will make. */
export async function ensureInstalled(began = (_folders) => {}) {
  const missing = await missingPackages();
  if (missing.length === 0) return false;
  began(missing);
  // Asking the registry about each package that npm has already takes as long as a third of the installation.
  if ((await runNpmCi('ignore', '--prefer-offline')) || (await runNpmCi('inherit'))) return true;
  console.error('\nThe packages could not be installed: `npm ci` says why above.');
  return process.exit(1);
}

/** Returns whether it succeeded; a signal ends npm, and then this process. */
async function runNpmCi(stderr, ...more) {
  const options = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=error', '--no-progress'];
  const npm = spawn('npm', ['ci', ...options, ...more], { stdio: ['ignore', 'ignore', stderr] });
  let stopped = false;
  const stop = (signal) => {
    stopped = true;
    npm.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  const [code] = await once(npm, 'close');
  for (const signal of SIGNALS) process.off(signal, stop);
  if (stopped) process.exit(1);
  return code === 0;
}

/** Shows on a terminal how many packages are there; returns what takes the bar away. */
export function showProgress(folders) {
  if (!process.stdout.isTTY) return () => {};
  const timer = setInterval(() => {
    const done = folders.filter((folder) => existsSync(`${folder}/package.json`)).length;
    const filled = Math.round((BAR_WIDTH * done) / folders.length);
    process.stdout.write(`\r  ${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${done} of ${folders.length}`);
  }, REDRAW_MS);
  return () => {
    clearInterval(timer);
    process.stdout.write('\r\u001b[K');
  };
}

/** npm writes its copy of the lockfile last, so a killed install does not count: it begins anew with every package. */
async function missingPackages() {
  const locked = Object.entries(await packagesOf('package-lock.json')).filter(([folder, { link }]) => folder && !link);
  const installed = await packagesOf('node_modules/.package-lock.json').catch(() => ({}));
  const isMissing = locked.some(
    ([folder, { version, optional }]) => installed[folder]?.version !== version && !(optional && !installed[folder]),
  );
  return isMissing ? locked.filter(([, { optional }]) => !optional).map(([folder]) => folder) : [];
}

async function packagesOf(lockfile) {
  return JSON.parse(await readFile(lockfile, 'utf8')).packages;
}
