import { db } from '#app/server/db.server.ts';
import { requireSchool } from '#app/domain/actor.ts';
import { assertCompletable, completeFlight } from '#app/domain/flights/complete-flight.server.ts';
import { completeFlightSchema } from '#app/domain/flights/schema.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { apiResource, requireUser } from '#app/server/api-resource.server.ts';
import { parseId } from '#app/server/ids.server.ts';

// A receipt of ten megabytes in base64, and the rest of the check-in.
const BODY_AT_MOST = 12 * 1024 * 1024;

const route = apiResource({
  POST: requireUser(async ({ actor, params, body, key }) => {
    const pilot = requireSchool(actor);
    const id = parseId(params.id);
    if (id === undefined) throw new AppError('notFound', texts.flightLogNotFound);
    const log = await assertCompletable(db, pilot, id);
    const input = await body(completeFlightSchema, BODY_AT_MOST).catch((error: unknown) => {
      throw log.completed_at ? new AppError('conflict', texts.alreadyCompleted) : error;
    });
    return completeFlight(db, pilot, id, input, key);
  }),
});

export const loader = route.loader;
export const action = route.action;
