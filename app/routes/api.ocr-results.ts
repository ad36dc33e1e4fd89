import { findScans } from '#app/domain/meters/queries.server.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';

export const loader = apiResource({
  GET: authedCall({ can: 'anyRole', school: 'optional', run: ({ actor }) => findScans(db, actor.schoolId) }),
});
export const action = loader;
