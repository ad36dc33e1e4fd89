import { env } from '#app/env.server.ts';
import { resource, signedInCall } from '#app/server/api-resource.server.ts';
import { openApi } from '#app/server/contract/openapi.server.ts';

const route = resource({ GET: signedInCall(async () => openApi(env.PRODUCT_NAME)) });

export const loader = route.loader;
export const action = route.action;
