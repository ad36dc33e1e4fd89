import { requireAircraftRow } from '#app/domain/aircraft/queries.server.ts';
import { setAircraftStatusSchema } from '#app/domain/aircraft/schema.server.ts';
import { setAircraftStatus } from '#app/domain/aircraft/change-aircraft.server.ts';
import { texts } from '#app/domain/texts.ts';
import { authedBodyCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';

export const loader = apiResource({
  PUT: authedBodyCall({
    can: 'set aircraft status',
    ids: { id: texts.aircraftNotFound },
    body: setAircraftStatusSchema,
    precheck: ({ actor, params }) => requireAircraftRow(db, actor, params.id),
    run: ({ actor, params, input, key }) => setAircraftStatus(db, actor, params.id, input, key),
  }),
});
export const action = loader;
