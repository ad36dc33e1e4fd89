import { db } from '../db.server.ts';
import { findOpenFlights } from '../domain/flights/queries.server.ts';
import { may } from '../domain/permissions.ts';
import { resource, signedInCall } from '../http/api.server.ts';

const route = resource({
  GET: signedInCall(async ({ actor }) => {
    if (actor.schoolId === null) return [];
    return findOpenFlights(db, actor.schoolId, may(actor.role, 'see all open flights') ? undefined : actor.id);
  }),
});

export const loader = route.loader;
export const action = route.action;
