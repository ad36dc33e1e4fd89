import { db } from '../db.server.ts';
import { findFlightLog } from '../domain/flights/queries.server.ts';
import { Refusal } from '../domain/refusal.ts';
import { texts } from '../domain/texts.ts';
import { resource, signedInCall } from '../http/api.server.ts';
import { idFrom } from '../http/ids.server.ts';

const route = resource({
  GET: signedInCall(async ({ actor, params }) => {
    const id = idFrom(params.id);
    const log = actor.schoolId === null || id === undefined ? undefined : await findFlightLog(db, actor.schoolId, id);
    if (!log) throw new Refusal('notFound', texts.flightLogNotFound);
    return log;
  }),
});

export const loader = route.loader;
export const action = route.action;
