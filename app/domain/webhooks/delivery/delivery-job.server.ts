import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';
import { env } from '#app/env.server.ts';
import {
  MAX_REQUESTS_OF_WEBHOOK,
  MAX_WEBHOOK_REQUESTS,
  MAX_WEBHOOK_RETRY_SECONDS,
  WEBHOOK_EVENT_LIFE_DAYS,
  WEBHOOK_EVENT_LIFE_MS,
  WEBHOOK_MAIL_LIFE_MS,
} from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { now } from '../../database-clock.server.ts';
import type { Ending, Job, JobWork } from '../../jobs/job.ts';
import { mailAdministrators } from '../../mail/queries.server.ts';
import { TEST_EVENT } from '../webhook-events.ts';
import { openSecret, signMessage } from '../queries.server.ts';
import { describeFailure, describeErrorStatus, type SendOptions, sendRequest } from './send-request.server.ts';

/** Sends an event, and tries again for three days; gives it back at a shutdown that comes before the answer. */
export function deliveryJob(db: Db, options: SendOptions): JobWork {
  return {
    ...{ kind: 'delivery', atOnce: MAX_WEBHOOK_REQUESTS, atOnceOfLane: MAX_REQUESTS_OF_WEBHOOK },
    longestRetrySeconds: MAX_WEBHOOK_RETRY_SECONDS,
    async run(job, stopping) {
      const delivery = await findWaitingDelivery(db, job.subjectId);
      if (!delivery) return { outcome: 'done' };
      const outcome = await attempt(delivery, options, stopping);
      if (stopping.aborted && outcome.error !== null) return { outcome: 'released' };
      return endingOf(job, delivery, outcome);
    },
  };
}

function endingOf(job: Job, delivery: WaitingDelivery, outcome: Outcome): Ending {
  const { status, error } = outcome;
  if (error === null) return { outcome: 'done', record: (trx) => recordDelivered(trx, delivery, outcome) };
  const details = { webhookId: delivery.webhook_id, status, error };
  const notAfter = new Date(delivery.created_at.getTime() + WEBHOOK_EVENT_LIFE_MS);
  if (delivery.event !== TEST_EVENT && job.claimedAt < notAfter) {
    const record: Ending['record'] = (trx) => markDelivery(trx, delivery, { ...outcome, state: 'waiting' });
    return { outcome: 'failed', record, notAfter, says: 'a webhook did not take an event', details };
  }
  // Sent again by hand, it has been tried by an earlier job.
  const isFirstJob = delivery.attempts < job.attempts;
  return {
    outcome: 'given up',
    record: async (trx) => {
      await markDelivery(trx, delivery, { ...outcome, state: 'given up' });
      if (isFirstJob && delivery.event !== TEST_EVENT) await beginFailing(trx, delivery, error);
    },
    ...{ says: 'a webhook did not take an event, which was given up', details },
  };
}

async function attempt(delivery: WaitingDelivery, options: SendOptions, stopping: AbortSignal): Promise<Outcome> {
  const began = performance.now();
  const outcome = (result: Omit<Outcome, 'durationMs'>) => ({
    ...result,
    durationMs: Math.round(performance.now() - began),
  });
  try {
    const secrets = secretsOf(delivery);
    const body = bodyOf(delivery);
    const headers = headersOf(delivery.message_id, body, secrets);
    const { status, text } = await sendRequest(new URL(delivery.url), headers, body, options, stopping);
    return outcome({ status, answer: text, error: describeErrorStatus(status) ?? null });
  } catch (error) {
    return outcome({ status: null, answer: null, error: describeFailure(error) });
  }
}

function secretsOf({ secret, previous_secret, isPreviousGood }: WaitingDelivery): string[] {
  const sealed = previous_secret !== null && isPreviousGood ? [secret, previous_secret] : [secret];
  const secrets = sealed.map((each) => openSecret(each)?.secret).filter((each) => each !== undefined);
  if (secrets.length === 0) throw new Error('the secret cannot be read since SESSION_SECRET changed: make a new one');
  return secrets;
}

/** The same text at each attempt. Numbers grow in the order in which an aircraft's events are committed. */
function bodyOf({ id, event, created_at, data }: WaitingDelivery): string {
  const [type, timestamp] = [event, created_at.toISOString()].map((text) => JSON.stringify(text));
  return `{"type":${type},"timestamp":${timestamp},"sequence":${id},"data":${data}}`;
}

function headersOf(messageId: string, body: string, secrets: string[]): Record<string, string> {
  const at = new Date();
  return {
    'content-type': 'application/json',
    'user-agent': env.PRODUCT_NAME.replace(/[^\w.-]/g, '') || 'Flightline',
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => signMessage(secret, messageId, at, body)).join(' '),
  };
}

async function recordDelivered(trx: Trx, delivery: WaitingDelivery, outcome: Outcome): Promise<void> {
  await markDelivery(trx, delivery, { ...outcome, state: 'delivered' });
  await trx
    .updateTable('webhooks')
    .set({ failing_since: null })
    .where('school_id', '=', delivery.school_id)
    .where('id', '=', delivery.webhook_id)
    .where('failing_since', 'is not', null)
    .execute();
}

async function beginFailing(trx: Trx, { school_id, webhook_id }: WaitingDelivery, error: string): Promise<void> {
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

type WaitingDelivery = NonNullable<Awaited<ReturnType<typeof findWaitingDelivery>>>;

interface Outcome {
  durationMs: number;
  status: number | null;
  answer: string | null;
  /** Null where the receiver took the event. */
  error: string | null;
}

/** An event that its webhook has not taken, with where it goes; undefined for a removed webhook. */
function findWaitingDelivery(db: Db, id: number) {
  return db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_id')
    .select(['delivery.id', 'delivery.school_id', 'webhook_id', 'message_id', 'event', 'data', 'attempts'])
    .select(['delivery.created_at', 'url', 'secret', 'previous_secret'])
    .select((eb) => eb('previous_until', '>', now).as('isPreviousGood'))
    .where('delivery.id', '=', id)
    .where('state', '=', 'waiting')
    .where('removed_at', 'is', null)
    .executeTakeFirst();
}

type Mark = Outcome & Pick<Row<'webhook_deliveries'>, 'state'>;

async function markDelivery(trx: Trx, { id }: WaitingDelivery, mark: Mark): Promise<void> {
  const { durationMs, state, ...answered } = mark;
  await trx
    .updateTable('webhook_deliveries')
    // A delivery that goes on waiting keeps its job.
    .set({ ...answered, ...(state !== 'waiting' && { state }), duration_ms: durationMs, last_attempt_at: now })
    .set({ attempts: sql`attempts + 1` })
    .where('id', '=', id)
    .execute();
}

interface FailingWebhook {
  id: number;
  url: string;
  error: string;
}

function mailWebhookFailing(trx: Trx, schoolId: number, { id, url, error }: FailingWebhook): Promise<void> {
  const { host } = new URL(url);
  return mailAdministrators(trx, schoolId, WEBHOOK_MAIL_LIFE_MS, ({ name, school }) => ({
    subject: `A webhook of ${school} takes no events`,
    before: [
      `Hello ${name},`,
      `${host} has not taken an event of ${school} for ${WEBHOOK_EVENT_LIFE_DAYS} days, and the event was given up. ${error}`,
    ],
    link: { label: 'View the webhook', url: env.APP_URL + paths.webhook(id) },
    after: ['Each further event is tried, too. You get no other mail until one was taken.'],
  }));
}
