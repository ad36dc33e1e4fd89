import { useActionData, useLoaderData } from '@remix-run/react';
import { webhookTexts } from '#app/domain/webhooks/schema.server.ts';
import { eventCheckboxName } from '#app/domain/webhooks/webhook-events.ts';
import { WebhookBadge } from '#app/features/webhooks/webhook-badge.tsx';
import { WebhookFields } from '#app/features/webhooks/webhook-fields.tsx';
import { WebhookSecret } from '#app/features/webhooks/webhook-secret.tsx';
import { WEBHOOK_LOG_DAYS } from '#app/limits.ts';
import { authedAction, authedLoader } from '#app/server/screen.server.ts';
import { Card, DateTime, EmptyState, Actions, Stack, Notice } from '#app/ui/elements.tsx';
import { ErrorSummary, PostForm, SubmitButton, useForm } from '#app/ui/forms/form.tsx';
import { createTitleMeta, useToast, Screen } from '#app/ui/page/screen.tsx';
import { Pager } from '#app/ui/pager.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { WebhookActions, WebhookRemovalQuestion } from './webhook-actions.tsx';
import { handleWebhookForm, loadWebhookPage } from './webhook-page.server.ts';

export { clientAction } from '#app/ui/forms/form.tsx';

export { handle } from '#app/ui/page/school-navigation.tsx';

export { GoneBoundary as ErrorBoundary } from '#app/ui/page/gone-boundary.tsx';

export const meta = createTitleMeta('Webhook');

const guard = { can: 'manage school', ids: { id: webhookTexts.notFound } } as const;

export const loader = authedLoader({
  ...guard,
  load: ({ actor, params, url }) => loadWebhookPage(actor, params.id, url),
});

export const action = authedAction({ ...guard, handle: handleWebhookForm });

export default function WebhookPage() {
  const { webhook, previousUntil, deliveries, older, newest, asksRemoval, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const { id, url, state, events } = webhook;
  const [form, fields] = useForm<Record<string, string>>({
    id: 'webhook',
    lastResult: reply?.result?.initialValue && 'intent' in reply.result.initialValue ? null : reply?.result,
    defaultValue: { url, ...Object.fromEntries(events.map((event) => [eventCheckboxName(event), 'on'])) },
  });
  return (
    <Screen
      title="Webhook"
      badge={<WebhookBadge state={state} />}
      showBackLink
      beforeTitle={
        <>
          <ErrorSummary form={form} />
          {asksRemoval && <WebhookRemovalQuestion id={id} requestId={requestId} />}
        </>
      }
      toast={useToast(reply)}
    >
      <Stack>
        {state === 'failing' && (
          <Notice tone="danger">It has not taken an event for three days, and the event was given up.</Notice>
        )}
        {reply && 'secret' in reply && <WebhookSecret id={id} secret={reply.secret} isNew={false} />}
        <Card title={<span className="address">{url}</span>}>
          {previousUntil && (
            <p className="hint">
              Signed with the secret before, too, until <DateTime value={previousUntil} />.
            </p>
          )}
          <WebhookActions id={id} isPaused={state === 'paused'} requestId={requestId} />
        </Card>
        <Card title="Change">
          <PostForm id={form.id} requestId={requestId}>
            <WebhookFields fields={fields} />
            <Actions>
              <SubmitButton pendingLabel="Saving...">Save Webhook</SubmitButton>
            </Actions>
          </PostForm>
        </Card>
        <Card title="Deliveries" subtitle={`Of the last ${WEBHOOK_LOG_DAYS} days, newest first.`}>
          {deliveries.length === 0 && <EmptyState text="Nothing has been sent yet." />}
          {deliveries.length > 0 && (
            <DeliveryTable webhookId={id} deliveries={deliveries} requestId={requestId} canSend={state !== 'paused'} />
          )}
          <Pager newerHref={newest} olderHref={older} labels={{ newer: 'Newest', older: 'Older' }} />
        </Card>
      </Stack>
    </Screen>
  );
}
