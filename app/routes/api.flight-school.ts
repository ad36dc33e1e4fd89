import { db } from '../db.server.ts';
import { Refusal } from '../domain/refusal.ts';
import { findSchool } from '../domain/school/queries.server.ts';
import { texts } from '../domain/texts.ts';
import { resource, signedInCall } from '../http/api.server.ts';

const route = resource({
  GET: signedInCall(async ({ actor }) => {
    const school = await findSchool(db, actor.schoolId);
    if (!school) throw new Refusal('notFound', texts.noSchool);
    return school;
  }),
});

export const loader = route.loader;
export const action = route.action;
