import type { Db, Trx } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { hastenJob } from '../jobs/queries.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { auditedUrl } from './audited-url.ts';
import { findWebhookForUpdate } from './queries.server.ts';
import { TEST_EVENT } from './webhook-events.ts';
import { webhookTexts } from './webhook-texts.server.ts';

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
  const webhook = await findWebhookForUpdate(trx, schoolId, id);
  if (webhook.paused_at) throw new AppError('conflict', webhookTexts.paused);
  return webhook;
}
