import type { Member } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import { formatDateTime } from '#app/domain/format.server.ts';
import { findDeliveries, type LoggedDelivery } from '#app/domain/webhooks/delivery-log.server.ts';
import { findWebhookSecretState, requireWebhook } from '#app/domain/webhooks/queries.server.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { newRequestId } from '#app/server/form-action.server.ts';
import { parseId } from '#app/server/query-values.server.ts';

/** Loads the page. Throws 'notFound', or 'invalid' for a malformed place in the log. */
export async function loadWebhookPage({ schoolId, timeZone }: Member, id: number, url: URL) {
  const after = parseAfter(url.searchParams.get('after'));
  const [webhook, { previousUntil }, log] = await Promise.all([
    requireWebhook(db, schoolId, id),
    findWebhookSecretState(db, schoolId, id),
    findDeliveries(db, schoolId, id, after),
  ]);
  return {
    webhook,
    previousUntil: previousUntil && formatDateTime(previousUntil, timeZone),
    deliveries: log.deliveries.map((delivery) => toView(delivery, timeZone)),
    older: log.older === null ? null : paths.webhookLog(id, log.older),
    newest: after === undefined ? null : paths.webhook(id),
    asksRemoval: url.searchParams.get('confirm') === 'remove',
    requestId: newRequestId(),
  };
}

function parseAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  const id = parseId(text);
  if (id === undefined) throw new AppError('invalid', 'Invalid page');
  return id;
}

export type DeliveryView = ReturnType<typeof toView>;

function toView(delivery: LoggedDelivery, timeZone: string) {
  const { id, event, state, attempts, status, answer, error, durationMs, nextAttemptAt } = delivery;
  return {
    ...{ id, event, state, attempts, error },
    answer: answer || null,
    status: status === null ? '-' : String(status),
    duration: durationMs === null ? '-' : `${durationMs} ms`,
    at: formatDateTime(delivery.createdAt, timeZone),
    next: nextAttemptAt && attempts > 0 ? formatDateTime(nextAttemptAt, timeZone) : null,
  };
}
