import { apiResource } from '#app/server/api/api-resource.server.ts';
import { jsonResponse } from '#app/server/api/api-responses.server.ts';
import { CLEAR_SITE_DATA_HEADERS, signOut } from '#app/server/session/session.server.ts';

export const loader = apiResource({
  POST: async ({ request }) =>
    jsonResponse({}, 200, { ...CLEAR_SITE_DATA_HEADERS, 'set-cookie': await signOut(request) }),
});
export const action = loader;
