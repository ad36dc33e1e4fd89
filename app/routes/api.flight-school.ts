import { db } from '../db.server.ts';
import { authorize } from '../domain/actor.ts';
import { Refusal } from '../domain/refusal.ts';
import { schoolFields } from '../domain/school/fields.server.ts';
import { findSchool } from '../domain/school/queries.server.ts';
import { saveSchool } from '../domain/school/save-school.server.ts';
import { texts } from '../domain/texts.ts';
import { resource, signedInCall } from '../http/api.server.ts';

const route = resource({
  GET: signedInCall(async ({ actor }) => {
    const school = await findSchool(db, actor.schoolId);
    if (!school) throw new Refusal('notFound', texts.noSchool);
    return school;
  }),
  PUT: signedInCall(async ({ actor, body, key }) => {
    authorize(actor, 'manage school');
    return saveSchool(db, actor, await body(schoolFields), key);
  }),
});

export const loader = route.loader;
export const action = route.action;
