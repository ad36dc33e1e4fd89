import { db } from '#app/server/db.server.ts';
import { findOpenFlights } from '#app/domain/flights/queries.server.ts';
import { may } from '#app/domain/permissions.ts';
import { resource, signedInCall } from '#app/server/api-resource.server.ts';

const route = resource({
  GET: signedInCall(async ({ actor }) => {
    if (actor.schoolId === null) return [];
    return findOpenFlights(db, actor.schoolId, may(actor.role, 'see all open flights') ? undefined : actor.id);
  }),
});

export const loader = route.loader;
export const action = route.action;
