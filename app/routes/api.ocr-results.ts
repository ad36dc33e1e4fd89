import { db } from '../db.server.ts';
import { findScans } from '../domain/meters/queries.server.ts';
import { resource, signedInCall } from '../http/api.server.ts';

const route = resource({
  GET: signedInCall(async ({ actor }) => (actor.schoolId === null ? [] : findScans(db, actor.schoolId))),
});

export const loader = route.loader;
export const action = route.action;
