import { changeWebhook, removeWebhook } from '#app/domain/webhooks/change-webhooks.server.ts';
import { requireWebhook } from '#app/domain/webhooks/queries.server.ts';
import { changeWebhookSchema, webhookTexts } from '#app/domain/webhooks/schema.server.ts';
import { authedBodyCall, authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';

const guard = { can: 'manage school', ids: { id: webhookTexts.notFound } } as const;

export const loader = apiResource({
  PATCH: authedBodyCall({
    ...guard,
    body: changeWebhookSchema,
    precheck: ({ actor, params }) => requireWebhook(db, actor.schoolId, params.id),
    run: ({ actor, params, input, key }) => changeWebhook(db, actor, params.id, input, key),
  }),
  DELETE: authedCall({
    ...guard,
    run: ({ actor, params, key }) => removeWebhook(db, actor, params.id, key),
  }),
});
export const action = loader;
