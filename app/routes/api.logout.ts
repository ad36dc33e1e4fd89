import { db } from '#app/server/db.server.ts';
import { json, resource } from '#app/server/api-resource.server.ts';
import { endSession } from '#app/server/session.server.ts';

const route = resource({
  POST: async ({ request }) => json({}, 200, { 'set-cookie': await endSession(db, request) }),
});

export const loader = route.loader;
export const action = route.action;
