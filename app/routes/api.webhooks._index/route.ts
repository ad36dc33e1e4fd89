import { addWebhook } from '#app/domain/webhooks/change-webhooks.server.ts';
import { findWebhooks } from '#app/domain/webhooks/queries.server.ts';
import { addWebhookSchema } from '#app/domain/webhooks/schema.server.ts';
import { authedBodyCall, authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';

export const loader = apiResource({
  GET: authedCall({
    can: 'manage school',
    run: ({ actor }) => findWebhooks(db, actor.schoolId),
  }),
  POST: authedBodyCall({
    can: 'manage school',
    body: addWebhookSchema,
    created: true,
    run: ({ actor, input, key }) => addWebhook(db, actor, input, key),
  }),
});
export const action = loader;
