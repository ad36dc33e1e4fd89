import { findOpenFlights } from '#app/domain/flights/queries.server.ts';
import { can } from '#app/domain/permissions.ts';
import { paths } from '#app/paths.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';
import { deviceKeysOf } from '#app/server/session/device-keys.server.ts';

/** What the service worker may keep for who is signed in, and the keys of what waits to be sent. */
const route = apiResource({
  GET: authedCall({
    can: 'anyRole',
    run: async ({ actor }) => {
      const keys = deviceKeysOf(actor);
      const [openFlight] = await findOpenFlights(db, actor.schoolId, actor.id);
      const flight = openFlight ? { id: openFlight.id, aircraftId: openFlight.aircraft.id } : null;
      const checkOut = can(actor.role, 'check out aircraft') ? [paths.checkOutWithoutNetwork] : [];
      const checkIn = flight ? [paths.checkIn(flight.id)] : [];
      // The service worker takes the age of the last one for the age of all.
      const pages = [paths.dashboard, ...checkOut, ...checkIn, paths.ownFlights];
      return { keys, openFlight: flight, pages: keys.length > 0 ? pages : [] };
    },
  }),
});

export const loader = route.loader;
