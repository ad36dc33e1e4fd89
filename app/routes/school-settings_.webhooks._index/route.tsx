import { useLoaderData } from '@remix-run/react';
import { Link } from '#app/ui/link.tsx';
import { findWebhooks } from '#app/domain/webhooks/queries.server.ts';
import { WebhookBadge } from '#app/features/webhooks/webhook-badge.tsx';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { authedLoader } from '#app/server/screen.server.ts';
import { ButtonLink, Card, EmptyState, Notice } from '#app/ui/elements.tsx';
import { createTitleMeta, useToast, Screen } from '#app/ui/page/screen.tsx';

export { handle } from '#app/ui/page/school-navigation.tsx';

export const meta = createTitleMeta('Webhooks');

export const loader = authedLoader({
  can: 'manage school',
  load: async ({ actor }) => ({ webhooks: await findWebhooks(db, actor.schoolId) }),
});

export default function Webhooks() {
  const { webhooks } = useLoaderData<typeof loader>();
  const addLink = (
    <ButtonLink variant="primary" to={paths.addWebhook}>
      Add a Webhook
    </ButtonLink>
  );
  return (
    <Screen
      title="Webhooks"
      subtitle="Programs of yours that are told of flights, squawks and aircraft as it happens."
      showBackLink
      toast={useToast(undefined)}
      actions={webhooks.length > 0 && addLink}
      width="form"
    >
      {webhooks.length === 0 && <EmptyState text="No webhooks yet." action={addLink} />}
      {webhooks.some(({ state }) => state === 'failing') && (
        <Notice tone="danger">A webhook has not taken an event for three days, and the event was given up.</Notice>
      )}
      {webhooks.length > 0 && (
        <Card>
          <ul className="list-rows">
            {webhooks.map(({ id, url, state, events }) => (
              <li key={id}>
                <h2 className="address">
                  <Link to={paths.webhook(id)}>{url}</Link>
                </h2>
                <p className="badge-list">
                  <WebhookBadge state={state} />
                </p>
                <p className="subtitle">{events.join(', ')}</p>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </Screen>
  );
}
