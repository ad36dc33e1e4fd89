import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { env } from '#app/env.server.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

interface SecretBox {
  /** Encrypts with the newest secret of the installation. */
  seal: (secret: string) => string;
  /** Undefined for what was sealed with a secret that the installation no longer has, or was never sealed. */
  open: (sealed: string) => OpenedSecret | undefined;
}

interface OpenedSecret {
  secret: string;
  isNewest: boolean;
}

/** Stores anew, sealed with the newest secret, what an earlier one did or nobody sealed, before that secret is forgotten. */
export async function resealEach<Row extends { secret: string }>(
  rows: Row[],
  open: (stored: string) => OpenedSecret | undefined,
  store: (row: Row, secret: string) => Promise<unknown>,
): Promise<void> {
  for (const row of rows) {
    const opened = open(row.secret);
    if (opened && !opened.isNewest) await store(row, opened.secret);
  }
}

/** Encrypts what the database keeps and must be able to tell again, with a key of its own for each purpose. */
export function secretBox(purpose: string): SecretBox {
  const secrets = [env.SESSION_SECRET, env.SESSION_SECRET_PREVIOUS].filter((secret) => secret !== undefined);
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)));
  return {
    seal: (secret) => seal(secret, keys[0] ?? ''),
    open(sealed) {
      for (const [index, key] of keys.entries()) {
        const secret = tryKey(sealed, key);
        if (secret !== undefined) return { secret, isNewest: index === 0 };
      }
      return undefined;
    },
  };
}

function seal(secret: string, key: Buffer | string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv);
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

function tryKey(sealed: string, key: Buffer): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
  try {
    const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAuthTag(tag);
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
