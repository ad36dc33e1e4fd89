import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { env } from '#app/env.server.ts';
import { WEBHOOK_SECRET_BYTES } from '#app/limits.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEYS = [env.SESSION_SECRET, env.SESSION_SECRET_PREVIOUS].filter((secret) => secret !== undefined).map(toKey);

/** Makes a secret as Standard Webhooks writes it. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(WEBHOOK_SECRET_BYTES).toString('base64')}`;
}

export function sealSecret(secret: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, KEYS[0] ?? '', iv);
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Opens a secret; undefined if it was sealed with one that the installation no longer has. */
export function openSecret(sealed: string): { secret: string; isNewest: boolean } | undefined {
  for (const [index, key] of KEYS.entries()) {
    const secret = tryKey(sealed, key);
    if (secret !== undefined) return { secret, isNewest: index === 0 };
  }
  return undefined;
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

function toKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'webhook secrets', 32));
}
