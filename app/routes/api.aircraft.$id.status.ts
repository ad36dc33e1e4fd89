import { db } from '#app/server/db.server.ts';
import { requireSchool, assertCan } from '#app/domain/actor.ts';
import { aircraftStatusSchema } from '#app/domain/aircraft/schema.server.ts';
import { requireAircraft } from '#app/domain/aircraft/find-aircraft-for-update.server.ts';
import { setAircraftStatus } from '#app/domain/aircraft/set-aircraft-status.server.ts';
import { texts } from '#app/domain/texts.ts';
import { apiResource, requireUser } from '#app/server/api-resource.server.ts';
import { requireId } from '#app/server/ids.server.ts';

const route = apiResource({
  PUT: requireUser(async ({ actor, params, body, key }) => {
    assertCan(actor, 'manage aircraft');
    const member = requireSchool(actor);
    const { id } = await requireAircraft(db, member, requireId(params.id, texts.aircraftNotFound));
    return setAircraftStatus(db, member, id, await body(aircraftStatusSchema), key);
  }),
});

export const loader = route.loader;
export const action = route.action;
