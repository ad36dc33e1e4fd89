import { env } from '#app/env.server.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { openApiDocument } from '#app/server/contract/openapi.server.ts';

const route = apiResource({
  GET: authedCall({ can: 'anyRole', school: 'optional', run: async () => openApiDocument(env.PRODUCT_NAME) }),
});

export const loader = route.loader;
export const action = route.action;
