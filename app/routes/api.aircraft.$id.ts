import { db } from '#app/server/db.server.ts';
import { asMember, authorize } from '#app/domain/actor.ts';
import { deleteAircraft } from '#app/domain/aircraft/delete-aircraft.server.ts';
import { texts } from '#app/domain/texts.ts';
import { resource, signedInCall } from '#app/server/api-resource.server.ts';
import { requiredId } from '#app/server/ids.server.ts';

const route = resource({
  DELETE: signedInCall(async ({ actor, params, key }) => {
    authorize(actor, 'manage aircraft');
    return deleteAircraft(db, asMember(actor), requiredId(params.id, texts.aircraftNotFound), key);
  }),
});

export const loader = route.loader;
export const action = route.action;
