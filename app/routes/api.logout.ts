import { apiResource } from '#app/server/api/api-resource.server.ts';
import { jsonResponse } from '#app/server/api/api-responses.server.ts';
import { db } from '#app/server/db.server.ts';
import { CLEAR_SITE_DATA, endSession } from '#app/server/session.server.ts';

const route = apiResource({
  POST: async ({ request }) =>
    jsonResponse({}, 200, { ...CLEAR_SITE_DATA, 'set-cookie': await endSession(db, request) }),
});

export const loader = route.loader;
export const action = route.action;
