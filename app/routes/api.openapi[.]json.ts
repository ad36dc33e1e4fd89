import { env } from '#app/env.server.ts';
import { apiResource, requireUser } from '#app/server/api-resource.server.ts';
import { openApiDocument } from '#app/server/contract/openapi.server.ts';

const route = apiResource({ GET: requireUser(async () => openApiDocument(env.PRODUCT_NAME)) });

export const loader = route.loader;
export const action = route.action;
