import { db } from '#app/server/db.server.ts';
import { asMember } from '#app/domain/actor.ts';
import { assertCompletable, completeFlight } from '#app/domain/flights/complete-flight.server.ts';
import { completeFlightFields } from '#app/domain/flights/schema.server.ts';
import { Refusal } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { resource, signedInCall } from '#app/server/api-resource.server.ts';
import { idFrom } from '#app/server/ids.server.ts';

// A receipt of ten megabytes in base64, and the rest of the check-in.
const BODY_AT_MOST = 12 * 1024 * 1024;

const route = resource({
  POST: signedInCall(async ({ actor, params, body, key }) => {
    const pilot = asMember(actor);
    const id = idFrom(params.id);
    if (id === undefined) throw new Refusal('notFound', texts.flightLogNotFound);
    const log = await assertCompletable(db, pilot, id);
    const input = await body(completeFlightFields, BODY_AT_MOST).catch((error: unknown) => {
      throw log.completed_at ? new Refusal('conflict', texts.alreadyCompleted) : error;
    });
    return completeFlight(db, pilot, id, input, key);
  }),
});

export const loader = route.loader;
export const action = route.action;
