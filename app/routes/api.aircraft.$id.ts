import { deleteAircraft } from '#app/domain/aircraft/change-aircraft.server.ts';
import { requireAircraftRow, toAircraft } from '#app/domain/aircraft/queries.server.ts';
import { texts } from '#app/domain/texts.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';

export const loader = apiResource({
  GET: authedCall({
    can: 'anyRole',
    school: 'optional',
    ids: { id: texts.aircraftNotFound },
    run: async ({ actor, params }) => toAircraft(await requireAircraftRow(db, actor, params.id)),
  }),
  DELETE: authedCall({
    can: 'manage aircraft',
    ids: { id: texts.aircraftNotFound },
    run: ({ actor, params, key }) => deleteAircraft(db, actor, params.id, key),
  }),
});
export const action = loader;
