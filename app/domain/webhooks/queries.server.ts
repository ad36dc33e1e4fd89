import { createHmac, randomBytes } from 'node:crypto';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';
import { WEBHOOK_SECRET_BYTES } from '#app/limits.ts';
import { AppError } from '../app-error.ts';
import { now } from '../database-clock.server.ts';
import { secretBox } from '../sealed-secrets.server.ts';
import { type Webhook, webhookTexts } from './schema.server.ts';
import { WEBHOOK_EVENTS } from './webhook-events.ts';

/** Finds the school's webhooks, the oldest first. */
export async function findWebhooks(db: Db | Trx, schoolId: number | null): Promise<Webhook[]> {
  return (await webhookQuery(db, schoolId).orderBy('id').execute()).map(toWebhook);
}

/** Finds a webhook. Throws 'notFound' outside the school. */
export async function requireWebhook(db: Db | Trx, schoolId: number | null, id: number): Promise<Webhook> {
  const row = await webhookQuery(db, schoolId).where('id', '=', id).executeTakeFirst();
  if (!row) throw new AppError('notFound', webhookTexts.notFound);
  return toWebhook(row);
}

/** Locks the row. Throws 'notFound' outside the school. */
export async function requireWebhookRowForUpdate(trx: Trx, schoolId: number, id: number) {
  const row = await webhookQuery(trx, schoolId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  if (!row) throw new AppError('notFound', webhookTexts.notFound);
  return row;
}

export async function findPreviousSecretExpiry(db: Db, schoolId: number, id: number) {
  const row = await db
    .selectFrom('webhooks')
    .select('previous_until as previousUntil')
    .where('school_id', '=', schoolId)
    .where('id', '=', id)
    .where('previous_until', '>', now)
    .executeTakeFirst();
  return { previousUntil: row?.previousUntil ?? null };
}

/** Those of which an event was given up, and none taken since. */
export async function countFailingWebhooks(db: Db): Promise<number> {
  const { failing } = await db
    .selectFrom('webhooks')
    .select(({ fn }) => [fn.countAll<string>().as('failing')])
    .where('failing_since', 'is not', null)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(failing);
}

export function webhookQuery(db: Db | Trx, schoolId: number | null) {
  return db.selectFrom('webhooks').selectAll().where('school_id', '=', schoolId).where('removed_at', 'is', null);
}

export function toWebhook({ id, url, events, paused_at, failing_since, created_at }: Row<'webhooks'>): Webhook {
  return {
    id,
    url,
    events: WEBHOOK_EVENTS.filter((event) => events.includes(event)),
    state: paused_at ? 'paused' : failing_since ? 'failing' : 'active',
    createdAt: created_at.toISOString(),
  };
}

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
