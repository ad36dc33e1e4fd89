import { AppError } from '#app/domain/app-error.ts';
import { findFlightLog } from '#app/domain/flights/queries.server.ts';
import { texts } from '#app/domain/texts.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';

export const loader = apiResource({
  GET: authedCall({
    can: 'anyRole',
    school: 'optional',
    ids: { id: texts.flightLogNotFound },
    run: async ({ actor, params }) => {
      const log = await findFlightLog(db, actor.schoolId, params.id);
      if (!log) throw new AppError('notFound', texts.flightLogNotFound);
      return log;
    },
  }),
});
export const action = loader;
