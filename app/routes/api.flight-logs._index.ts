import { db } from '../db.server.ts';
import { findFlightLogs } from '../domain/flights/queries.server.ts';
import { aircraftFilterOf } from '../http/aircraft-filter.server.ts';
import { resource, signedInCall } from '../http/api.server.ts';

const route = resource({
  GET: signedInCall(async ({ actor, url }) => {
    const aircraftId = aircraftFilterOf(url);
    return actor.schoolId === null ? [] : findFlightLogs(db, actor.schoolId, { aircraftId });
  }),
});

export const loader = route.loader;
export const action = route.action;
