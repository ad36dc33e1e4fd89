import type { Db } from '#db/connect.server.ts';
import { PREVIOUS_WEBHOOK_SECRET_HOURS } from '#app/limits.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { fromNow } from '../database-clock.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { findWebhookWithSecret } from './add-webhook.server.ts';
import { auditedUrl } from './audited-url.ts';
import { findWebhookForUpdate } from './queries.server.ts';
import { newWebhookSecret, sealSecret } from './webhook-secrets.server.ts';

/** Returns a new secret, also for a repeated request; the former one signs for another day. Throws 'unproved'. */
export async function replaceSecret(db: Db, member: Member, id: number, key?: string): Promise<string> {
  const request = { key, operation: `replace secret of webhook ${id}`, input: null };
  const operation = { actor: member, can: 'manage school', ...request } as const;
  await runOperation(db, operation, async (trx, actor) => {
    const { secret, url } = await findWebhookForUpdate(trx, actor.schoolId, id);
    await trx
      .updateTable('webhooks')
      .set({
        secret: sealSecret(newWebhookSecret()),
        previous_secret: secret,
        previous_until: fromNow(PREVIOUS_WEBHOOK_SECRET_HOURS, 'hours'),
      })
      .where('school_id', '=', actor.schoolId)
      .where('id', '=', id)
      .execute();
    const about = { subject: 'webhook', subjectId: id, after: { url: auditedUrl(url) } } as const;
    await writeAuditEntry(trx, actor, { action: 'replaced webhook secret', ...about });
    return {};
  });
  return (await findWebhookWithSecret(db, member.schoolId, id)).secret;
}
