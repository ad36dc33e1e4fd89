import { env } from '../env.server.ts';
import { resource, signedInCall } from '../http/api.server.ts';
import { openApi } from '../http/contract/openapi.server.ts';

const route = resource({ GET: signedInCall(async () => openApi(env.PRODUCT_NAME)) });

export const loader = route.loader;
export const action = route.action;
