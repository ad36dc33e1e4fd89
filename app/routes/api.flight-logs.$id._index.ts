import { db } from '#app/server/db.server.ts';
import { findFlightLog } from '#app/domain/flights/queries.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { apiResource, requireUser } from '#app/server/api-resource.server.ts';
import { parseId } from '#app/server/ids.server.ts';

const route = apiResource({
  GET: requireUser(async ({ actor, params }) => {
    const id = parseId(params.id);
    const log = actor.schoolId === null || id === undefined ? undefined : await findFlightLog(db, actor.schoolId, id);
    if (!log) throw new AppError('notFound', texts.flightLogNotFound);
    return log;
  }),
});

export const loader = route.loader;
export const action = route.action;
