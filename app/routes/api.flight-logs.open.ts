import { db } from '#app/server/db.server.ts';
import { findOpenFlights } from '#app/domain/flights/queries.server.ts';
import { can } from '#app/domain/permissions.ts';
import { apiResource, requireUser } from '#app/server/api-resource.server.ts';

const route = apiResource({
  GET: requireUser(async ({ actor }) => {
    if (actor.schoolId === null) return [];
    return findOpenFlights(db, actor.schoolId, can(actor.role, 'see all open flights') ? undefined : actor.id);
  }),
});

export const loader = route.loader;
export const action = route.action;
