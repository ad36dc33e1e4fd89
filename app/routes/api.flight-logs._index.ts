import { z } from 'zod';
import { db } from '#app/server/db.server.ts';
import { asMember } from '#app/domain/actor.ts';
import { startFlightFields } from '#app/domain/flights/schema.server.ts';
import { findFlightLogs } from '#app/domain/flights/queries.server.ts';
import { assertStartable, startFlight } from '#app/domain/flights/start-flight.server.ts';
import { aircraftFilterOf } from '#app/features/aircraft/aircraft-filter.server.ts';
import { json, parsed, resource, signedInCall } from '#app/server/api-resource.server.ts';

const route = resource({
  GET: signedInCall(async ({ actor, url }) => {
    const aircraftId = aircraftFilterOf(url);
    return actor.schoolId === null ? [] : findFlightLogs(db, actor.schoolId, { aircraftId });
  }),
  POST: signedInCall(async ({ actor, body, key }) => {
    const pilot = asMember(actor);
    const given = await body(z.unknown());
    const input = startFlightFields.safeParse(given);
    if (input.success) return json(await startFlight(db, pilot, input.data, key), 201);
    // Whether the aircraft is there and free is said before what is wrong with the fields (C33).
    const named = aircraftNamed.safeParse(given);
    if (named.success) await assertStartable(db, pilot, named.data.aircraftId);
    return parsed(startFlightFields, given);
  }),
});

const aircraftNamed = startFlightFields.pick({ aircraftId: true });

export const loader = route.loader;
export const action = route.action;
