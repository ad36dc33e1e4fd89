import { db } from '#app/server/db.server.ts';
import { type Actor, asMember, authorize } from '#app/domain/actor.ts';
import { addAircraft } from '#app/domain/aircraft/add-aircraft.server.ts';
import { addAircraftFields } from '#app/domain/aircraft/schema.server.ts';
import { findFleet } from '#app/domain/aircraft/queries.server.ts';
import { Refusal } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { json, resource, signedInCall } from '#app/server/api-resource.server.ts';
import { idFrom } from '#app/server/ids.server.ts';

const route = resource({
  GET: signedInCall(async ({ actor, url }) => {
    assertOwnSchool(actor, url.searchParams.getAll('flightSchoolId'));
    return actor.schoolId === null ? [] : findFleet(db, actor.schoolId);
  }),
  POST: signedInCall(async ({ actor, body, key }) => {
    authorize(actor, 'manage aircraft');
    return json(await addAircraft(db, asMember(actor), await body(addAircraftFields), key), 201);
  }),
});

export const loader = route.loader;
export const action = route.action;

// The session says whose fleet it is; what the caller names is only held against it (C20).
function assertOwnSchool(actor: Actor, named: string[]): void {
  for (const text of named) {
    const id = idFrom(text);
    if (id === undefined) throw new Refusal('invalid', 'Invalid flight school');
    if (id !== actor.schoolId) throw new Refusal('forbidden', texts.forbidden);
  }
}
