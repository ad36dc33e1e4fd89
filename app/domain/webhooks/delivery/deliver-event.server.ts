import { Webhook } from 'standardwebhooks';
import type { Db, Trx } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import { env } from '#app/env.server.ts';
import { now } from '../../database-clock.server.ts';
import { mailWebhookFailing } from '../mail-webhook-failing.server.ts';
import { TEST_EVENT } from '../webhook-events.ts';
import { openSecret } from '../webhook-secrets.server.ts';
import { describeFailure, describeStatus } from './describe-failure.server.ts';
import {
  type ClaimedDelivery,
  isPastItsLife,
  markDelivered,
  markGivenUp,
  markRetried,
  type DeliveryOutcome,
  releaseDelivery,
} from './due-deliveries.server.ts';
import { sendRequest, type SendOptions } from './send-request.server.ts';

export interface Attempt {
  webhookId: number;
  deliveryId: number;
  attempts: number;
  status: number | null;
  error?: string;
}

/** Sends what was claimed, outside of any transaction; undefined if the process stops before the answer. */
export async function deliverEvent(
  db: Db,
  delivery: ClaimedDelivery,
  options: SendOptions,
  stopping: AbortSignal,
): Promise<Attempt | undefined> {
  const outcome = await attempt(db, delivery, options, stopping);
  if (stopping.aborted && outcome.error !== null) {
    await releaseDelivery(db, delivery);
    return undefined;
  }
  await inTransaction(db, (trx) => record(trx, delivery, outcome));
  const { id: deliveryId, webhook_id: webhookId, attempts } = delivery;
  const { status, error } = outcome;
  return { webhookId, deliveryId, attempts, status, ...(error !== null && { error }) };
}

async function attempt(
  db: Db,
  delivery: ClaimedDelivery,
  options: SendOptions,
  stopping: AbortSignal,
): Promise<DeliveryOutcome> {
  const began = performance.now();
  const outcome = (result: Omit<DeliveryOutcome, 'durationMs'>) => ({
    ...result,
    durationMs: Math.round(performance.now() - began),
  });
  try {
    const { url, secrets } = await findTarget(db, delivery);
    const body = bodyOf(delivery);
    const headers = headersOf(delivery.message_id, body, secrets);
    const { status, text } = await sendRequest(new URL(url), headers, body, options, stopping);
    return outcome({ status, answer: text, error: describeStatus(status) ?? null });
  } catch (error) {
    return outcome({ status: null, answer: null, error: describeFailure(error) });
  }
}

async function findTarget(db: Db, delivery: ClaimedDelivery) {
  const { url, secret, previous_secret, isPreviousGood } = await db
    .selectFrom('webhooks')
    .select(['url', 'secret', 'previous_secret'])
    .select((eb) => eb('previous_until', '>', now).as('isPreviousGood'))
    .where('school_id', '=', delivery.school_id)
    .where('id', '=', delivery.webhook_id)
    .executeTakeFirstOrThrow();
  const sealed = previous_secret !== null && isPreviousGood ? [secret, previous_secret] : [secret];
  const secrets = sealed.map((each) => openSecret(each)?.secret).filter((each) => each !== undefined);
  if (secrets.length === 0) throw new Error('the secret cannot be read since SESSION_SECRET changed: make a new one');
  return { url, secrets };
}

function bodyOf({ event, created_at, data }: ClaimedDelivery): string {
  const [type, timestamp] = [event, created_at.toISOString()].map((text) => JSON.stringify(text));
  return `{"type":${type},"timestamp":${timestamp},"data":${data}}`;
}

function headersOf(messageId: string, body: string, secrets: string[]): Record<string, string> {
  const at = new Date();
  return {
    'content-type': 'application/json',
    'user-agent': env.PRODUCT_NAME.replace(/[^\w.-]/g, '') || 'Flightline',
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(messageId, at, body)).join(' '),
  };
}

async function record(trx: Trx, delivery: ClaimedDelivery, outcome: DeliveryOutcome): Promise<void> {
  if (outcome.error === null) {
    if (await markDelivered(trx, delivery, outcome)) await endFailing(trx, delivery);
    return;
  }
  const isOver = delivery.event === TEST_EVENT || (await isPastItsLife(trx, delivery));
  if (!isOver) return markRetried(trx, delivery, outcome);
  const isGivenUp = await markGivenUp(trx, delivery, outcome);
  if (isGivenUp && delivery.in_order) await beginFailing(trx, delivery, outcome.error);
}

async function endFailing(trx: Trx, { school_id, webhook_id }: ClaimedDelivery): Promise<void> {
  await trx
    .updateTable('webhooks')
    .set({ failing_since: null })
    .where('school_id', '=', school_id)
    .where('id', '=', webhook_id)
    .where('failing_since', 'is not', null)
    .execute();
}

/** Notes the failure, and mails administrators the first time only. */
async function beginFailing(trx: Trx, { school_id, webhook_id }: ClaimedDelivery, error: string): Promise<void> {
  const began = await trx
    .updateTable('webhooks')
    .set({ failing_since: now })
    .where('school_id', '=', school_id)
    .where('id', '=', webhook_id)
    .where('failing_since', 'is', null)
    .where('removed_at', 'is', null)
    .returning(['id', 'url'])
    .executeTakeFirst();
  if (began) await mailWebhookFailing(trx, school_id, { ...began, error });
}
