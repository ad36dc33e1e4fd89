import { deleteAircraft } from '#app/domain/aircraft/change-aircraft.server.ts';
import { findAircraft } from '#app/domain/aircraft/queries.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';

export const loader = apiResource({
  GET: authedCall({
    can: 'anyRole',
    school: 'optional',
    ids: { id: texts.aircraftNotFound },
    run: async ({ actor, params }) => {
      const aircraft = await findAircraft(db, actor.schoolId, params.id);
      if (!aircraft) throw new AppError('notFound', texts.aircraftNotFound);
      return aircraft;
    },
  }),
  DELETE: authedCall({
    can: 'manage aircraft',
    ids: { id: texts.aircraftNotFound },
    run: ({ actor, params, key }) => deleteAircraft(db, actor, params.id, key),
  }),
});
export const action = loader;
