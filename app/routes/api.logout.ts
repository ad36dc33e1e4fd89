import { db } from '../db.server.ts';
import { json, resource } from '../http/api.server.ts';
import { endSession } from '../http/session.server.ts';

const route = resource({
  POST: async ({ request }) => json({}, 200, { 'set-cookie': await endSession(db, request) }),
});

export const loader = route.loader;
export const action = route.action;
