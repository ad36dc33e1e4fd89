import type { Actor } from '#app/domain/actor.ts';
import { addAircraft } from '#app/domain/aircraft/change-aircraft.server.ts';
import { listAircraft } from '#app/domain/aircraft/list-aircraft.server.ts';
import { addAircraftSchema } from '#app/domain/aircraft/schema.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { authedBodyCall, authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { pagedListResponse } from '#app/server/api/list-response.server.ts';
import { db } from '#app/server/db.server.ts';
import { parseId } from '#app/server/query-values.server.ts';

export const loader = apiResource({
  GET: authedCall({
    can: 'anyRole',
    school: 'optional',
    run: async ({ actor, url, request }) => {
      assertOwnSchool(actor, url.searchParams.getAll('flightSchoolId'));
      return pagedListResponse(request, actor, (page) => listAircraft(db, actor, page));
    },
  }),
  POST: authedBodyCall({
    can: 'manage aircraft',
    body: addAircraftSchema,
    created: true,
    run: ({ actor, input, key }) => addAircraft(db, actor, input, key),
  }),
});
export const action = loader;

// The session decides whose fleet it is; an id in the query is only compared with it.
function assertOwnSchool(actor: Actor, requestedIds: string[]): void {
  for (const text of requestedIds.filter((each) => each !== '')) {
    const id = parseId(text);
    if (id === undefined) throw new AppError('invalid', 'Invalid flight school');
    if (id !== actor.schoolId) throw new AppError('forbidden', texts.forbidden);
  }
}
