import { env } from '#app/env.server.ts';
import { authedCall } from '#app/server/api-call.server.ts';
import { apiResource } from '#app/server/api-resource.server.ts';
import { openApiDocument } from '#app/server/contract/openapi.server.ts';

export const { loader, action } = apiResource({
  GET: authedCall({ can: 'anyRole', school: 'optional', run: async () => openApiDocument(env.PRODUCT_NAME) }),
});
