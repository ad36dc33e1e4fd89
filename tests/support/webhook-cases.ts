import type { Db } from '#db/connect.server.ts';
import type { Member } from '#app/domain/actor.ts';
import {
  addWebhook,
  changeWebhook,
  removeWebhook,
  replaceSecret,
} from '#app/domain/webhooks/change-webhooks.server.ts';
import { sendAgain, sendTest } from '#app/domain/webhooks/delivery-log.server.ts';
import { byAdministrators, type OperationCase } from './operation-case.ts';
import { insertDelivery, insertWebhook } from './webhooks.ts';

const NEW = { url: 'https://receiver.example/', events: ['flight.started' as const] };

/** What administrators do to webhooks. */
export const webhookCases = (db: Db): OperationCase[] => {
  const onWebhook = (work: (actor: Member, id: number, key?: string) => Promise<object>) => {
    return async ({ schoolId }: Member) => {
      const id = await insertWebhook(db, schoolId);
      return (actor: Member, key?: string) => work(actor, id, key);
    };
  };
  return [
    byAdministrators(
      'webhooks/change-webhooks to add one',
      async () => (actor, key) => addWebhook(db, actor, NEW, key),
      { readsAfter: 1 },
    ),
    byAdministrators(
      'webhooks/change-webhooks to change one',
      onWebhook((actor, id, key) => changeWebhook(db, actor, id, { paused: true }, key)),
    ),
    byAdministrators(
      'webhooks/change-webhooks to remove one',
      onWebhook((actor, id, key) => removeWebhook(db, actor, id, key)),
    ),
    byAdministrators(
      'webhooks/change-webhooks to replace the secret',
      onWebhook(async (actor, id, key) => ({ secret: await replaceSecret(db, actor, id, key) })),
      { readsAfter: 1 },
    ),
    byAdministrators(
      'webhooks/delivery-log to try one',
      onWebhook((actor, id, key) => sendTest(db, actor, id, key)),
    ),
    byAdministrators('webhooks/delivery-log', async ({ schoolId }) => {
      const webhookId = await insertWebhook(db, schoolId);
      const deliveryId = await insertDelivery(db, { schoolId, webhookId });
      return (actor, key) => sendAgain(db, actor, { webhookId, deliveryId }, key);
    }),
  ];
};
