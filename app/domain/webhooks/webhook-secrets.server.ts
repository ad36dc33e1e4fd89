import { createHmac, randomBytes } from 'node:crypto';
import { WEBHOOK_SECRET_BYTES } from '#app/limits.ts';
import { secretBox } from '../sealed-secrets.server.ts';

export const { seal: sealSecret, open: openSecret } = secretBox('webhook secrets');

const PREFIX = 'whsec_';

/** Makes a new one in the form of Standard Webhooks. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(WEBHOOK_SECRET_BYTES).toString('base64');
}

/** Signs a message as Standard Webhooks says: HMAC-SHA-256 of its id, its second and its body. */
export function signMessage(secret: string, messageId: string, at: Date, body: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signed = `${messageId}.${Math.floor(at.getTime() / 1000)}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
