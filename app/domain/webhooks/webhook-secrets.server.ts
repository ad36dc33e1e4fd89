import { randomBytes } from 'node:crypto';
import { WEBHOOK_SECRET_BYTES } from '#app/limits.ts';
import { secretBox } from '../sealed-secrets.server.ts';

export const { seal: sealSecret, open: openSecret } = secretBox('webhook secrets');

/** Makes a new one in the form of Standard Webhooks. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(WEBHOOK_SECRET_BYTES).toString('base64')}`;
}
