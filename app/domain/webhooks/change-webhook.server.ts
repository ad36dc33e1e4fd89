import type { Db } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { now } from '../database-clock.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { auditedUrl } from './audited-url.ts';
import { findWebhookForUpdate, toWebhook } from './queries.server.ts';
import type { ChangeWebhookInput, Webhook } from './schema.server.ts';

/** Changes the fields that are given. Throws 'notFound', and 'unproved' for another address. */
export function changeWebhook(
  db: Db,
  member: Member,
  id: number,
  input: ChangeWebhookInput,
  key?: string,
): Promise<Webhook> {
  const { url, events, paused } = input;
  const request = { actor: member, can: 'manage school', key, operation: `change webhook ${id}`, input } as const;
  const givesPower = () => url !== undefined;
  return runOperation(db, { ...request, givesPower }, async (trx, actor) => {
    const before = await findWebhookForUpdate(trx, actor.schoolId, id);
    const pausedAt = paused ? (before.paused_at ?? now) : null;
    const after = await trx
      .updateTable('webhooks')
      .set({
        ...(url !== undefined && { url }),
        ...(events && { events }),
        ...(paused !== undefined && { paused_at: pausedAt }),
      })
      .where('school_id', '=', actor.schoolId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const [was, is] = [toWebhook(before), toWebhook(after)].map(({ url: address, events: chosen, state }) => ({
      url: auditedUrl(address),
      events: chosen,
      webhookState: state,
    }));
    const about = { subject: 'webhook', subjectId: id, before: was, after: is } as const;
    await writeAuditEntry(trx, actor, { action: 'changed webhook', ...about });
    return toWebhook(after);
  });
}
