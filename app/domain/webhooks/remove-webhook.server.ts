import type { Db } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { now } from '../database-clock.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { auditedUrl } from './audited-url.ts';
import { findWebhookForUpdate } from './queries.server.ts';

/** Ends a webhook; the clean-up deletes its row and log, once no check-in can refer to it. */
export function removeWebhook(db: Db, member: Member, id: number, key?: string): Promise<object> {
  const request = { key, operation: `remove webhook ${id}`, input: null };
  return runOperation(db, { actor: member, can: 'manage school', ...request }, async (trx, actor) => {
    const { url } = await findWebhookForUpdate(trx, actor.schoolId, id);
    await trx
      .updateTable('webhooks')
      .set({ removed_at: now, secret: '', previous_secret: null, previous_until: null })
      .where('school_id', '=', actor.schoolId)
      .where('id', '=', id)
      .execute();
    const about = { subject: 'webhook', subjectId: id, before: { url: auditedUrl(url) } } as const;
    await writeAuditEntry(trx, actor, { action: 'removed webhook', ...about });
    return {};
  });
}
