import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Sets SESSION_SECRET, if neither it nor its file is given, to one generated for this DATA_DIR and kept there. */
export async function ensureSessionSecret(dataDir: string): Promise<void> {
  if (process.env.SESSION_SECRET_FILE) return;
  process.env.SESSION_SECRET ||= await readOrCreateSecret(dataDir);
}

async function readOrCreateSecret(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'session-secret');
  await mkdir(dataDir, { recursive: true });
  // The write fails if the file exists, and that secret is used.
  await writeFile(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' }).catch(() => {});
  return readFile(file, 'utf8');
}

/** Lets a command read the settings without the server's secret: it signs nothing, and ends before anybody could see it. */
export function allowMissingSecret(): void {
  if (process.env.SESSION_SECRET_FILE) return;
  process.env.SESSION_SECRET ||= randomBytes(32).toString('base64url');
}
