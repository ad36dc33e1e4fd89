import { db } from '#app/server/db.server.ts';
import { requireSchool, assertCan } from '#app/domain/actor.ts';
import { deleteAircraft } from '#app/domain/aircraft/delete-aircraft.server.ts';
import { texts } from '#app/domain/texts.ts';
import { apiResource, requireUser } from '#app/server/api-resource.server.ts';
import { requireId } from '#app/server/ids.server.ts';

const route = apiResource({
  DELETE: requireUser(async ({ actor, params, key }) => {
    assertCan(actor, 'manage aircraft');
    return deleteAircraft(db, requireSchool(actor), requireId(params.id, texts.aircraftNotFound), key);
  }),
});

export const loader = route.loader;
export const action = route.action;
