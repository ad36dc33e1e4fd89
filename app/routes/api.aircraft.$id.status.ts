import { db } from '#app/server/db.server.ts';
import { asMember, authorize } from '#app/domain/actor.ts';
import { statusFields } from '#app/domain/aircraft/schema.server.ts';
import { assertInFleet } from '#app/domain/aircraft/find-aircraft-for-update.server.ts';
import { setStatus } from '#app/domain/aircraft/set-aircraft-status.server.ts';
import { texts } from '#app/domain/texts.ts';
import { resource, signedInCall } from '#app/server/api-resource.server.ts';
import { requiredId } from '#app/server/ids.server.ts';

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
