import { env } from '#app/env.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { openApiDocument } from '#app/server/contract/openapi.server.ts';

/** The contract is made once, since strangers may ask for it. */
let contract: object | undefined;

export const loader = apiResource({
  GET: async () => (contract ??= openApiDocument(env.PRODUCT_NAME)),
});
export const action = loader;
