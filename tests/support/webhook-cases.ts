import type { Db } from '#db/connect.server.ts';
import type { Role } from '#db/roles.ts';
import type { Member } from '#app/domain/actor.ts';
import {
  addWebhook,
  changeWebhook,
  removeWebhook,
  replaceSecret,
} from '#app/domain/webhooks/change-webhooks.server.ts';
import { sendAgain, sendTest } from '#app/domain/webhooks/delivery-log.server.ts';
import { insertDelivery, insertWebhook } from './webhooks.ts';

export interface OperationCase {
  /** The module that runs it, within app/domain. */
  module: string;
  /** Which one it is, where the module runs several. */
  act?: string;
  role: Role;
  /** What a student gets who had the role when the request was checked. */
  demoted: 'forbidden' | 'allowed';
  /** True if the school must have nothing yet but its administrator. */
  isAlone?: true;
  /** Statements after its COMMIT, which only read. */
  readsAfter?: number;
  /** Prepares what the operation needs; the operation itself. */
  prepare: (actor: Member) => Promise<(actor: Member, key?: string) => Promise<object>>;
}

const NEW = { url: 'https://receiver.example/', events: ['flight.started' as const] };

/** What administrators do to webhooks. */
export const webhookCases = (db: Db): OperationCase[] => {
  const administrators = { role: 'administrator', demoted: 'forbidden' } as const;
  const onWebhook = (work: (actor: Member, id: number, key?: string) => Promise<object>) => ({
    ...administrators,
    prepare: async ({ schoolId }: Member) => {
      const id = await insertWebhook(db, schoolId);
      return (actor: Member, key?: string) => work(actor, id, key);
    },
  });
  return [
    {
      module: 'webhooks/change-webhooks',
      act: 'to add one',
      ...administrators,
      readsAfter: 1,
      prepare: async () => (actor, key) => addWebhook(db, actor, NEW, key),
    },
    {
      module: 'webhooks/change-webhooks',
      act: 'to change one',
      ...onWebhook((actor, id, key) => changeWebhook(db, actor, id, { paused: true }, key)),
    },
    {
      module: 'webhooks/change-webhooks',
      act: 'to remove one',
      ...onWebhook((actor, id, key) => removeWebhook(db, actor, id, key)),
    },
    {
      module: 'webhooks/change-webhooks',
      act: 'to replace the secret',
      readsAfter: 1,
      ...onWebhook(async (actor, id, key) => ({ secret: await replaceSecret(db, actor, id, key) })),
    },
    {
      module: 'webhooks/delivery-log',
      act: 'to try one',
      ...onWebhook((actor, id, key) => sendTest(db, actor, id, key)),
    },
    {
      module: 'webhooks/delivery-log',
      ...administrators,
      prepare: async ({ schoolId }) => {
        const webhookId = await insertWebhook(db, schoolId);
        const deliveryId = await insertDelivery(db, { schoolId, webhookId });
        return (actor, key) => sendAgain(db, actor, { webhookId, deliveryId }, key);
      },
    },
  ];
};
