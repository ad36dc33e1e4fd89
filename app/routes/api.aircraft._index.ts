import { db } from '#app/server/db.server.ts';
import { type Actor, requireSchool, assertCan } from '#app/domain/actor.ts';
import { addAircraft } from '#app/domain/aircraft/add-aircraft.server.ts';
import { addAircraftSchema } from '#app/domain/aircraft/schema.server.ts';
import { findFleet } from '#app/domain/aircraft/queries.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { jsonResponse, apiResource, requireUser } from '#app/server/api-resource.server.ts';
import { parseId } from '#app/server/ids.server.ts';

const route = apiResource({
  GET: requireUser(async ({ actor, url }) => {
    assertOwnSchool(actor, url.searchParams.getAll('flightSchoolId'));
    return actor.schoolId === null ? [] : findFleet(db, actor.schoolId);
  }),
  POST: requireUser(async ({ actor, body, key }) => {
    assertCan(actor, 'manage aircraft');
    return jsonResponse(await addAircraft(db, requireSchool(actor), await body(addAircraftSchema), key), 201);
  }),
});

export const loader = route.loader;
export const action = route.action;

// The session says whose fleet it is; what the caller names is only held against it (C20).
function assertOwnSchool(actor: Actor, named: string[]): void {
  for (const text of named) {
    const id = parseId(text);
    if (id === undefined) throw new AppError('invalid', 'Invalid flight school');
    if (id !== actor.schoolId) throw new AppError('forbidden', texts.forbidden);
  }
}
