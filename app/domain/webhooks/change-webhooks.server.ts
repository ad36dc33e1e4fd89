import type { Db } from '#db/connect.server.ts';
import { MAX_WEBHOOKS, PREVIOUS_WEBHOOK_SECRET_HOURS } from '#app/limits.ts';
import type { Member } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { fromNow, now } from '../database-clock.server.ts';
import {
  requireWebhookRowForUpdate,
  findWebhooks,
  newWebhookSecret,
  openSecret,
  sealSecret,
  toWebhook,
  webhookQuery,
} from './queries.server.ts';
import { type AddWebhookInput, type ChangeWebhookInput, type Webhook, webhookTexts } from './schema.server.ts';

/** Returns the webhook with its secret, also for a repeated request. Throws 'unproved', or 'conflict' past the most. */
export async function addWebhook(
  db: Db,
  member: Member,
  input: AddWebhookInput,
  key?: string,
): Promise<Webhook & { secret: string }> {
  const request = { key, operation: 'add webhook', input };
  const operation = { actor: member, can: 'manage school', lockFirst: 'school', ...request } as const;
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

async function findWebhookWithSecret(db: Db, schoolId: number, id: number): Promise<Webhook & { secret: string }> {
  const row = await webhookQuery(db, schoolId).where('id', '=', id).executeTakeFirst();
  const secret = row && openSecret(row.secret)?.secret;
  if (!row || secret === undefined) throw new AppError('notFound', webhookTexts.notFound);
  return { ...toWebhook(row), secret };
}

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
    const before = await requireWebhookRowForUpdate(trx, actor.schoolId, id);
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

/** Returns a new secret, also for a repeated request; the former one signs for another day. Throws 'unproved'. */
export async function replaceSecret(db: Db, member: Member, id: number, key?: string): Promise<string> {
  const request = { key, operation: `replace secret of webhook ${id}`, input: null };
  const operation = { actor: member, can: 'manage school', ...request } as const;
  await runOperation(db, operation, async (trx, actor) => {
    const { secret, url } = await requireWebhookRowForUpdate(trx, actor.schoolId, id);
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

/** Ends a webhook; the clean-up deletes its row and log, once no check-in can refer to it. */
export function removeWebhook(db: Db, member: Member, id: number, key?: string): Promise<object> {
  const request = { key, operation: `remove webhook ${id}`, input: null };
  return runOperation(db, { actor: member, can: 'manage school', ...request }, async (trx, actor) => {
    const { url } = await requireWebhookRowForUpdate(trx, actor.schoolId, id);
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

/** Returns the address without its query, which may be a password. */
export function auditedUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
