import type { Member } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import { formatDateTime } from '#app/domain/format.server.ts';
import { findDeliveries, type LoggedDelivery, sendAgain, sendTest } from '#app/domain/webhooks/delivery-log.server.ts';
import { findPreviousSecretExpiry, requireWebhook } from '#app/domain/webhooks/queries.server.ts';
import { paths, serverOnlyPaths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import type { FormRequest } from '#app/server/posted-forms.server.ts';
import { handleForm, newFormRequestId } from '#app/server/screen.server.ts';
import { parseId, requireId } from '#app/server/query-values.server.ts';
import { z } from 'zod';
import { texts } from '#app/domain/texts.ts';
import { changeWebhook, removeWebhook, replaceSecret } from '#app/domain/webhooks/change-webhooks.server.ts';
import { webhookFormSchema, webhookTexts } from '#app/domain/webhooks/schema.server.ts';
import { doneOnSamePage, redirectWithToast, successToast } from '#app/server/flash.server.ts';

/** Loads the page. Throws 'notFound', or 'invalid' for a malformed place in the log. */
export async function loadWebhookPage({ schoolId, timeZone }: Member, id: number, url: URL) {
  const after = parseAfter(url.searchParams.get('after'));
  const [webhook, { previousUntil }, log] = await Promise.all([
    requireWebhook(db, schoolId, id),
    findPreviousSecretExpiry(db, schoolId, id),
    findDeliveries(db, schoolId, id, after),
  ]);
  return {
    webhook,
    previousUntil: previousUntil && formatDateTime(previousUntil, timeZone),
    deliveries: log.deliveries.map((delivery) => toView(delivery, timeZone)),
    older: log.older === null ? null : serverOnlyPaths.webhookLog(id, log.older),
    newest: after === undefined ? null : paths.webhook(id),
    asksRemoval: url.searchParams.get('confirm') === 'remove',
    requestId: newFormRequestId(),
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

export async function handleWebhookForm(context: FormRequest & { actor: Member; params: { id: number } }) {
  const { actor, params, form } = context;
  const precheck = () => requireWebhook(db, actor.schoolId, params.id);
  const failed = 'Failed to change the webhook';
  if (form.get('intent') === 'new-secret') {
    return handleForm(context, {
      ...{ schema: secretSchema, failed, precheck },
      run: ({ requestId }) => makeSecret(actor, params.id, requestId),
    });
  }
  if (form.has('intent')) {
    return handleForm(context, {
      ...{ schema: buttonSchema, failed, precheck },
      run: ({ input, requestId }) => runButton(actor, params.id, input, requestId),
    });
  }
  return handleForm(context, {
    ...{ schema: webhookFormSchema, failed, precheck },
    run: async ({ input, requestId }) => {
      await changeWebhook(db, actor, params.id, input, requestId);
      return redirectWithToast(paths.webhook(params.id), successToast('Webhook changed'));
    },
  });
}

const INTENTS = ['test', 'pause', 'resume', 'remove', 'send-again'] as const;

const secretSchema = z.object({ intent: z.literal('new-secret') });

/** Shows the secret in the answer to the form, since no page shows it again. */
async function makeSecret(actor: Member, id: number, requestId: string | undefined) {
  const secret = await replaceSecret(db, actor, id, requestId);
  return doneOnSamePage('New secret made', { secret });
}

/** Buttons of the page besides its form, which has no intent. */
const buttonSchema = z.object({
  intent: z.enum(INTENTS, texts.actionRequired),
  deliveryId: z.string().optional(),
});

type ButtonInput = z.infer<typeof buttonSchema>;

async function runButton(
  actor: Member,
  id: number,
  { intent, deliveryId }: ButtonInput,
  requestId: string | undefined,
) {
  const stay = (title: string, text?: string) => redirectWithToast(paths.webhook(id), successToast(title, text));
  if (intent === 'test') {
    await sendTest(db, actor, id, requestId);
    return stay('Test sent', 'It appears in the log below; load the page again for its answer.');
  }
  if (intent === 'send-again') {
    const delivery = { webhookId: id, deliveryId: requireId(deliveryId, webhookTexts.deliveryNotFound) };
    await sendAgain(db, actor, delivery, requestId);
    return stay('Sent again', 'Load the page again for its answer.');
  }
  if (intent === 'remove') {
    await removeWebhook(db, actor, id, requestId);
    return redirectWithToast(paths.webhooks, successToast('Webhook removed'));
  }
  await changeWebhook(db, actor, id, { paused: intent === 'pause' }, requestId);
  return stay(intent === 'pause' ? 'Webhook paused' : 'Webhook resumed');
}
