import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Sets SESSION_SECRET where nobody did: one made for this DATA_DIR and kept there, so that sessions outlive a restart. */
export async function provideSecret(dataDir: string): Promise<void> {
  process.env.SESSION_SECRET ||= await keptSecret(dataDir);
}

async function keptSecret(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'session-secret');
  await mkdir(dataDir, { recursive: true });
  // Fails where there is one already, and that one is read.
  await writeFile(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' }).catch(() => {});
  return readFile(file, 'utf8');
}
