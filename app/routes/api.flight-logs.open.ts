import { findOpenFlights } from '#app/domain/flights/queries.server.ts';
import { can } from '#app/domain/permissions.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';

export const loader = apiResource({
  GET: authedCall({
    can: 'anyRole',
    school: 'optional',
    run: ({ actor }) =>
      findOpenFlights(db, actor.schoolId, { userId: can(actor.role, 'see all open flights') ? undefined : actor.id }),
  }),
});
export const action = loader;
