import { z } from 'zod';
import { db } from '#app/server/db.server.ts';
import { requireSchool } from '#app/domain/actor.ts';
import { startFlightSchema } from '#app/domain/flights/schema.server.ts';
import { findFlightLogs } from '#app/domain/flights/queries.server.ts';
import { assertStartable, startFlight } from '#app/domain/flights/start-flight.server.ts';
import { parseAircraftFilter } from '#app/features/aircraft/aircraft-filter.server.ts';
import { jsonResponse, parseOrThrow, apiResource, requireUser } from '#app/server/api-resource.server.ts';

const route = apiResource({
  GET: requireUser(async ({ actor, url }) => {
    const aircraftId = parseAircraftFilter(url);
    return actor.schoolId === null ? [] : findFlightLogs(db, actor.schoolId, { aircraftId });
  }),
  POST: requireUser(async ({ actor, body, key }) => {
    const pilot = requireSchool(actor);
    const given = await body(z.unknown());
    const input = startFlightSchema.safeParse(given);
    if (input.success) return jsonResponse(await startFlight(db, pilot, input.data, key), 201);
    // Whether the aircraft is there and free is said before what is wrong with the fields (C33).
    const named = aircraftNamed.safeParse(given);
    if (named.success) await assertStartable(db, pilot, named.data.aircraftId);
    return parseOrThrow(startFlightSchema, given);
  }),
});

const aircraftNamed = startFlightSchema.pick({ aircraftId: true });

export const loader = route.loader;
export const action = route.action;
