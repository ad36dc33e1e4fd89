import { findOpenFlights } from '#app/domain/flights/queries.server.ts';
import { can } from '#app/domain/permissions.ts';
import { paths } from '#app/paths.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';
import { deviceKeysOf } from '#app/server/session/viewer.server.ts';

/** The route gives the service worker the pages that it may keep for the user, and the keys for unsent forms. */
export const loader = apiResource({
  GET: authedCall({
    can: 'anyRole',
    run: async ({ actor }) => {
      const keys = deviceKeysOf(actor);
      const [openFlight] = await findOpenFlights(db, actor.schoolId, { userId: actor.id });
      const flight = openFlight ? { id: openFlight.id, aircraftId: openFlight.aircraft.id } : null;
      const checkOut = can(actor.role, 'check out aircraft') ? [paths.checkOutWithoutNetwork] : [];
      const checkIn = flight ? [paths.checkIn(flight.id)] : [];
      // The page that takes longest to fetch is last: the service worker takes its age for the age of all.
      const pages = [paths.dashboard, ...checkOut, ...checkIn, paths.ownFlights];
      return { keys, openFlight: flight, pages: keys.length > 0 ? pages : [] };
    },
  }),
});
