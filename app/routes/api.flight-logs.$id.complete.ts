import { db } from '../db.server.ts';
import { asMember } from '../domain/actor.ts';
import { assertCompletable, completeFlight } from '../domain/flights/complete-flight.server.ts';
import { completeFlightFields } from '../domain/flights/fields.server.ts';
import { Refusal } from '../domain/refusal.ts';
import { texts } from '../domain/texts.ts';
import { resource, signedInCall } from '../http/api.server.ts';
import { idFrom } from '../http/ids.server.ts';

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
