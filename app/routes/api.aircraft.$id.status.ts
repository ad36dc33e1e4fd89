import { db } from '../db.server.ts';
import { asMember, authorize } from '../domain/actor.ts';
import { statusFields } from '../domain/aircraft/fields.server.ts';
import { assertInFleet } from '../domain/aircraft/hold-aircraft.server.ts';
import { setStatus } from '../domain/aircraft/set-status.server.ts';
import { texts } from '../domain/texts.ts';
import { resource, signedInCall } from '../http/api.server.ts';
import { requiredId } from '../http/ids.server.ts';

const route = resource({
  PUT: signedInCall(async ({ actor, params, body, key }) => {
    authorize(actor, 'manage aircraft');
    const member = asMember(actor);
    const { id } = await assertInFleet(db, member, requiredId(params.id, texts.aircraftNotFound));
    return setStatus(db, member, id, await body(statusFields), key);
  }),
});

export const loader = route.loader;
export const action = route.action;
