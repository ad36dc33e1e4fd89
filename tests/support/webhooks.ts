import type { Db, Trx } from '#db/connect.server.ts';
import { deliveryJob } from '#app/domain/webhooks/delivery/delivery-job.server.ts';
import type { SendOptions } from '#app/domain/webhooks/delivery/send-request.server.ts';
import { WEBHOOK_EVENTS } from '#app/domain/webhooks/webhook-events.ts';
import { sealSecret } from '#app/domain/webhooks/queries.server.ts';
import { runDueJobs } from './jobs.ts';
import { type Columns, insert, insertRow } from './rows.ts';

export const WEBHOOK_SECRET = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;

/** Of all events unless the columns say otherwise. */
export function insertWebhook(db: Db, school_id: number, columns: Columns<'webhooks'> = {}): Promise<number> {
  const receiver = { url: 'https://receiver.example/events', secret: sealSecret(WEBHOOK_SECRET) };
  return insertRow(db, 'webhooks', { school_id, ...receiver, events: [...WEBHOOK_EVENTS], ...columns });
}

/** As the product adds one: with the event that the doctor looks for. */
export async function insertToldWebhook(db: Db, schoolId: number, url: string): Promise<number> {
  const id = await insertWebhook(db, schoolId, { url });
  const added = { school_id: schoolId, action: 'added webhook', subject: 'webhook', subject_id: id };
  await insert(db, 'audit_entries', added);
  return id;
}

/** Its receiver is gone: what waits for it is nobody's fault. */
export async function removeWebhook(db: Db, id: number): Promise<void> {
  await db.updateTable('webhooks').set({ removed_at: new Date() }).where('id', '=', id).execute();
}

export function insertDelivery(
  db: Db | Trx,
  { schoolId, webhookId }: { schoolId: number; webhookId: number },
  columns: Columns<'webhook_deliveries'> = {},
): Promise<number> {
  const event = { event: 'flight.started', aircraft_id: 1, data: '{"id":1}' };
  return insertRow(db, 'webhook_deliveries', { school_id: schoolId, webhook_id: webhookId, ...event, ...columns });
}

const HERE: SendOptions = { allowsPrivateTargets: true };

/** One try at each delivery that is due, one after another; what became of them. */
export function deliverAllDue(db: Db, options: SendOptions = HERE) {
  return runDueJobs(db, deliveryJob(db, options));
}
