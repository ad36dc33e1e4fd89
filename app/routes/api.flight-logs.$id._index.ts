import { db } from '#app/server/db.server.ts';
import { findFlightLog } from '#app/domain/flights/queries.server.ts';
import { Refusal } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { resource, signedInCall } from '#app/server/api-resource.server.ts';
import { idFrom } from '#app/server/ids.server.ts';

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
