import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findChromium, OWN_CHROMIUM } from '#tests/support/browser.ts';

/** Ships its binary inside the package; newer ones want a newer Node. */
const PACKAGE = '@sparticuz/chromium@138.0.2';

/** Sets CHROMIUM_PATH: the system's Chromium, else Debian's package if root, else one from npm. */
export async function ensureChromium(): Promise<void> {
  if (!findChromium() && !installByApt()) await installByNpm(path.dirname(path.resolve(OWN_CHROMIUM)));
  process.env.CHROMIUM_PATH = findChromium();
}

/** Requires root and apt. */
function installByApt(): boolean {
  if (process.getuid?.() !== 0) return false;
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, stdio: 'ignore' } as const;
  try {
    execFileSync('apt-get', ['update'], options);
    execFileSync('apt-get', ['install', '--yes', '--no-install-recommends', 'chromium', 'fonts-liberation'], options);
  } catch {
    return false;
  }
  return findChromium() !== undefined;
}

/** Into a folder of our own, with the libraries that a bare machine lacks. */
async function installByNpm(folder: string): Promise<void> {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', '--prefix', folder, ...quiet, PACKAGE], { stdio: 'inherit' });
  const unpacked = path.join(folder, 'unpacked');
  await mkdir(unpacked, { recursive: true });
  // Unpacks the libraries only on AWS Lambda.
  const env = { ...process.env, TMPDIR: unpacked, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' };
  const unpack = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";
  execFileSync(process.execPath, ['--input-type=module', '-e', unpack], { cwd: folder, env, stdio: 'inherit' });
  const script = [
    '#!/bin/sh',
    `export LD_LIBRARY_PATH='${unpacked}/al2023/lib' FONTCONFIG_PATH='${unpacked}/fonts'`,
    `exec '${unpacked}/chromium' "$@"`,
  ];
  await writeFile(OWN_CHROMIUM, `${script.join('\n')}\n`, { mode: 0o755 });
}
