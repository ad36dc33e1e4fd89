import type { Db, Trx } from '#db/connect.server.ts';
import { MAX_WEBHOOKS } from '#app/limits.ts';
import type { Member } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { lockSchool } from '../school/queries.server.ts';
import { findWebhooks, toWebhook } from './queries.server.ts';
import type { AddWebhookInput, Webhook } from './schema.server.ts';
import { auditedUrl } from './audited-url.ts';
import { newWebhookSecret, openSecret, sealSecret } from './webhook-secrets.server.ts';
import { webhookTexts } from './webhook-texts.server.ts';

/** Returns the webhook with its secret, also for a repeated request. Throws 'unproved', or 'conflict' past the most. */
export async function addWebhook(
  db: Db,
  member: Member,
  input: AddWebhookInput,
  key?: string,
): Promise<Webhook & { secret: string }> {
  const lockFirst = (trx: Trx) => lockSchool(trx, member.schoolId);
  const request = { key, operation: 'add webhook', input };
  const operation = { actor: member, can: 'manage school', lockFirst, ...request } as const;
  const { id } = await runOperation(db, operation, async (trx, actor) => {
    if ((await findWebhooks(trx, actor.schoolId)).length >= MAX_WEBHOOKS) {
      throw new AppError('conflict', webhookTexts.tooMany);
    }
    const { id: added } = await trx
      .insertInto('webhooks')
      .values({ ...input, school_id: actor.schoolId, secret: sealSecret(newWebhookSecret()) })
      .returning('id')
      .executeTakeFirstOrThrow();
    const after = { url: auditedUrl(input.url), events: input.events };
    await writeAuditEntry(trx, actor, { action: 'added webhook', subject: 'webhook', subjectId: added, after });
    return { id: added };
  });
  return findWebhookWithSecret(db, member.schoolId, id);
}

/** Finds a webhook with its secret, for a user who has just made the secret. */
export async function findWebhookWithSecret(
  db: Db,
  schoolId: number,
  id: number,
): Promise<Webhook & { secret: string }> {
  const row = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('school_id', '=', schoolId)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  const secret = row && openSecret(row.secret)?.secret;
  if (!row || secret === undefined) throw new AppError('notFound', webhookTexts.notFound);
  return { ...toWebhook(row), secret };
}
