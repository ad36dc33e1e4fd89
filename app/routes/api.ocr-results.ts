import { db } from '#app/server/db.server.ts';
import { findScans } from '#app/domain/meters/queries.server.ts';
import { apiResource, requireUser } from '#app/server/api-resource.server.ts';

const route = apiResource({
  GET: requireUser(async ({ actor }) => (actor.schoolId === null ? [] : findScans(db, actor.schoolId))),
});

export const loader = route.loader;
export const action = route.action;
