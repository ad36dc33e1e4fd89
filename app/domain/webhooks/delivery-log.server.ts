import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { MAX_REMOVED_DELIVERIES, PAGE_ROWS, WEBHOOK_LOG_DAYS } from '#app/limits.ts';
import { ago } from '../database-clock.server.ts';
import { resealEach } from '../sealed-secrets.server.ts';
import type { Member } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { hastenJob } from '../jobs/queries.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { requireWebhookRowForUpdate, openSecret, sealSecret } from './queries.server.ts';
import { auditedUrl } from './change-webhooks.server.ts';
import { TEST_EVENT } from './webhook-events.ts';
import { webhookTexts } from './schema.server.ts';

export type LoggedDelivery = Awaited<ReturnType<typeof findDeliveries>>['deliveries'][number];

/** Finds deliveries of the last 30 days, newest first, and the id to go on after, if there are more. */
export async function findDeliveries(db: Db, schoolId: number, webhookId: number, after?: number) {
  const found = await db
    .selectFrom('webhook_deliveries')
    .leftJoin('jobs', (join) => join.onRef('subject_id', '=', 'webhook_deliveries.id').on('kind', '=', 'delivery'))
    .select(['webhook_deliveries.id', 'event', 'state', 'webhook_deliveries.attempts', 'status', 'answer', 'error'])
    .select(['created_at as createdAt', 'last_attempt_at as attemptedAt', 'duration_ms as durationMs'])
    .select('run_at as nextAttemptAt')
    .where('webhook_deliveries.school_id', '=', schoolId)
    .where('webhook_id', '=', webhookId)
    .where('created_at', '>', ago(WEBHOOK_LOG_DAYS, 'days'))
    .$if(after !== undefined, (query) => query.where('webhook_deliveries.id', '<', after ?? 0))
    .orderBy('webhook_deliveries.id', 'desc')
    .limit(PAGE_ROWS + 1)
    .execute();
  const deliveries = found.slice(0, PAGE_ROWS);
  return { deliveries, older: found.length > PAGE_ROWS ? (deliveries.at(-1)?.id ?? null) : null };
}

/** Deletes deliveries older than the log, and everything of removed webhooks. */
export async function deleteOldDeliveries(db: Db): Promise<void> {
  await db
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('webhook_deliveries')
        .innerJoin('webhooks', 'webhooks.id', 'webhook_id')
        .select('webhook_deliveries.id')
        .where(({ or, eb }) =>
          or([
            eb('webhook_deliveries.created_at', '<', ago(WEBHOOK_LOG_DAYS, 'days')),
            eb('removed_at', '<', ago(1, 'hours')),
          ]),
        )
        .limit(MAX_REMOVED_DELIVERIES),
    )
    .execute();
  await db
    .deleteFrom('webhooks')
    .where('removed_at', '<', ago(1, 'days'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhook_deliveries')
            .select(sql`1`.as('one'))
            .whereRef('webhook_deliveries.school_id', '=', 'webhooks.school_id')
            .whereRef('webhook_id', '=', 'webhooks.id'),
        ),
      ),
    )
    .execute();
}

/** Encrypts with the installation's newest secret what an earlier one did, before that is forgotten. */
export async function resealWebhookSecrets(db: Db): Promise<void> {
  const webhooks = await db
    .selectFrom('webhooks')
    .select(['id', 'secret', 'previous_secret'])
    .where('removed_at', 'is', null)
    .execute();
  await resealEach(webhooks, openSecret, ({ id, secret, previous_secret }, newest) => {
    const previous = previous_secret === null ? undefined : openSecret(previous_secret)?.secret;
    return db
      .updateTable('webhooks')
      .set({
        secret: sealSecret(newest),
        ...(previous !== undefined && { previous_secret: sealSecret(previous) }),
      })
      .where('id', '=', id)
      .where('secret', '=', secret)
      .execute();
  });
}

/** Queues an event of no meaning, which is tried once. Throws 'notFound', or 'conflict' while paused. */
export function sendTest(db: Db, member: Member, webhookId: number, key?: string): Promise<object> {
  const request = { key, operation: `test webhook ${webhookId}`, input: null };
  return runOperation(db, { actor: member, can: 'manage school', ...request }, async (trx, actor) => {
    const { url } = await findActiveWebhook(trx, actor.schoolId, webhookId);
    const data = JSON.stringify({ message: `Sent by ${actor.username} to try this webhook` });
    await trx
      .insertInto('webhook_deliveries')
      .values({
        ...{ school_id: actor.schoolId, webhook_id: webhookId, aircraft_id: null },
        ...{ event: TEST_EVENT, data },
      })
      .execute();
    const about = { subject: 'webhook', subjectId: webhookId, after: { url: auditedUrl(url) } } as const;
    await writeAuditEntry(trx, actor, { action: 'tested webhook', ...about });
    return {};
  });
}

interface Again {
  webhookId: number;
  deliveryId: number;
}

/** Sends a delivery once more, or one that waits at once. Throws as `sendTest` does. */
export function sendAgain(db: Db, member: Member, { webhookId, deliveryId }: Again, key?: string): Promise<object> {
  const request = { key, operation: `send delivery ${deliveryId} of webhook ${webhookId} again`, input: null };
  return runOperation(db, { actor: member, can: 'manage school', ...request }, async (trx, actor) => {
    const { url } = await findActiveWebhook(trx, actor.schoolId, webhookId);
    const delivery = await trx
      .selectFrom('webhook_deliveries')
      .select(['event', 'state'])
      .where('school_id', '=', actor.schoolId)
      .where('webhook_id', '=', webhookId)
      .where('id', '=', deliveryId)
      .forUpdate()
      .executeTakeFirst();
    if (!delivery) throw new AppError('notFound', webhookTexts.deliveryNotFound);
    if (delivery.state === 'waiting') await hastenJob(trx, 'delivery', deliveryId);
    else await trx.updateTable('webhook_deliveries').set({ state: 'waiting' }).where('id', '=', deliveryId).execute();
    const after = { url: auditedUrl(url), event: delivery.event };
    const about = { subject: 'webhook', subjectId: webhookId, after } as const;
    await writeAuditEntry(trx, actor, { action: 'sent event again', ...about });
    return {};
  });
}

async function findActiveWebhook(trx: Trx, schoolId: number, id: number) {
  const webhook = await requireWebhookRowForUpdate(trx, schoolId, id);
  if (webhook.paused_at) throw new AppError('conflict', webhookTexts.paused);
  return webhook;
}
