import { useActionData, useLoaderData } from '@remix-run/react';
import { addWebhook } from '#app/domain/webhooks/change-webhooks.server.ts';
import { webhookFormSchema } from '#app/domain/webhooks/schema.server.ts';
import { eventCheckboxName, WEBHOOK_EVENTS } from '#app/domain/webhooks/webhook-events.ts';
import { WebhookFields } from '#app/features/webhooks/webhook-fields.tsx';
import { WebhookSecret } from '#app/features/webhooks/webhook-secret.tsx';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { doneOnSamePage } from '#app/server/flash.server.ts';
import { authedFormAction, authedLoader, newFormRequestId } from '#app/server/screen.server.ts';
import { useForm } from '#app/ui/forms/form.tsx';
import { createTitleMeta, useToast, Screen } from '#app/ui/page/screen.tsx';
import { FormScreen } from '#app/ui/page/form-screen.tsx';

export { clientAction } from '#app/ui/forms/form.tsx';

export { handle } from '#app/ui/page/school-navigation.tsx';

export const meta = createTitleMeta('Add a Webhook');

export const loader = authedLoader({
  can: 'manage school',
  load: async () => ({ requestId: newFormRequestId() }),
});

export const action = authedFormAction({
  can: 'manage school',
  schema: webhookFormSchema,
  failed: 'Failed to add the webhook',
  run: async ({ actor, input, requestId }) => {
    const { id, secret } = await addWebhook(db, actor, input, requestId);
    return doneOnSamePage('Webhook added', { added: { id, secret } });
  },
});

const ALL_EVENTS = Object.fromEntries(WEBHOOK_EVENTS.map((event) => [eventCheckboxName(event), 'on']));

export default function AddWebhook() {
  const { requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<Record<string, string>>({
    id: 'webhook',
    lastResult: reply?.result,
    defaultValue: ALL_EVENTS,
  });
  const toast = useToast(reply);
  if (reply && 'added' in reply)
    return (
      <Screen title="Add a Webhook" showBackLink toast={toast} width="form">
        <WebhookSecret {...reply.added} isNew />
      </Screen>
    );
  return (
    <FormScreen
      title="Add a Webhook"
      subtitle="Each event is sent to the address as JSON, signed with a secret that you see next."
      form={form}
      reply={reply}
      requestId={requestId}
      submit={{ label: 'Add Webhook', pending: 'Adding...' }}
      cancelTo={paths.webhooks}
    >
      <WebhookFields fields={fields} />
    </FormScreen>
  );
}
