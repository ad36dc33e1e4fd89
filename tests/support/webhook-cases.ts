import type { Db } from '#db/connect.server.ts';
import type { Member } from '#app/domain/actor.ts';
import {
  addWebhook,
  changeWebhook,
  removeWebhook,
  replaceSecret,
} from '#app/domain/webhooks/change-webhooks.server.ts';
import { sendAgain, sendTest } from '#app/domain/webhooks/delivery-log.server.ts';
import { admin, itself, type OperationCase } from './operation-case.ts';
import { insertDelivery, insertWebhook } from './webhooks.ts';

const NEW = { url: 'https://receiver.example/', events: ['flight.started' as const] };

/** What administrators do to webhooks. */
export const webhookCases = (db: Db): OperationCase[] => {
  const aWebhook = ({ schoolId }: Member) => insertWebhook(db, schoolId);
  const aDelivery = async ({ schoolId }: Member) => {
    const webhookId = await insertWebhook(db, schoolId);
    return { webhookId, deliveryId: await insertDelivery(db, { schoolId, webhookId }) };
  };
  const readsAfter = 1;
  const replace = async (by: Member, id: number, key?: string) => ({ secret: await replaceSecret(db, by, id, key) });
  return [
    admin('webhooks/change-webhooks to add one', itself, (by, _, key) => addWebhook(db, by, NEW, key), { readsAfter }),
    admin('webhooks/change-webhooks to change one', aWebhook, (by, id, key) =>
      changeWebhook(db, by, id, { paused: true }, key),
    ),
    admin('webhooks/change-webhooks to remove one', aWebhook, (by, id, key) => removeWebhook(db, by, id, key)),
    admin('webhooks/change-webhooks to replace the secret', aWebhook, replace, { readsAfter }),
    admin('webhooks/delivery-log to try one', aWebhook, (by, id, key) => sendTest(db, by, id, key)),
    admin('webhooks/delivery-log', aDelivery, (by, at, key) => sendAgain(db, by, at, key)),
  ];
};
