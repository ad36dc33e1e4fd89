import { execFile, type ExecFileOptions } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { findChromium, OWN_CHROMIUM } from '#tests/support/browser.ts';

/** Debian's packages, the lighter one first. */
const DEBIAN_PACKAGES = ['chromium-headless-shell', 'chromium'];
/** The package has its binary inside; newer ones want a newer Node. */
const NPM_PACKAGE = '@sparticuz/chromium@138.0.2';

const runFile = promisify(execFile);

/** Sets CHROMIUM_PATH to the system's Chromium, else to Debian's package if root, else to one from npm. */
export async function ensureChromium(): Promise<void> {
  if (!findChromium() && !(await installByApt())) await installByNpm(path.dirname(path.resolve(OWN_CHROMIUM)));
  process.env.CHROMIUM_PATH = findChromium();
}

async function installByApt(): Promise<boolean> {
  if (process.getuid?.() !== 0) return false;
  const apt = (...words: string[]) =>
    tryToRun('apt-get', words, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  if (!(await apt('update'))) return false;
  for (const name of DEBIAN_PACKAGES) {
    await apt('install', '--yes', '--no-install-recommends', name, 'fonts-liberation');
    if (findChromium()) return true;
  }
  return false;
}

async function tryToRun(command: string, words: string[], options: ExecFileOptions): Promise<boolean> {
  return runFile(command, words, options).then(
    () => true,
    () => false,
  );
}

/** Installs Chromium in a folder of our own, with the libraries that a bare machine lacks. */
async function installByNpm(folder: string): Promise<void> {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  await runFile('npm', ['install', '--prefix', folder, ...quiet, NPM_PACKAGE]);
  const unpacked = path.join(folder, 'unpacked');
  await mkdir(unpacked, { recursive: true });
  // The package unpacks the libraries only on AWS Lambda.
  const env = { ...process.env, TMPDIR: unpacked, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' };
  const unpack = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";
  await runFile(process.execPath, ['--input-type=module', '-e', unpack], { cwd: folder, env });
  const script = [
    '#!/bin/sh',
    `export LD_LIBRARY_PATH='${unpacked}/al2023/lib' FONTCONFIG_PATH='${unpacked}/fonts'`,
    `exec '${unpacked}/chromium' "$@"`,
  ];
  await writeFile(OWN_CHROMIUM, `${script.join('\n')}\n`, { mode: 0o755 });
}
