import { db } from '#app/server/db.server.ts';
import { authorize } from '#app/domain/actor.ts';
import { Refusal } from '#app/domain/app-error.ts';
import { schoolFields } from '#app/domain/school/schema.server.ts';
import { findSchool } from '#app/domain/school/queries.server.ts';
import { saveSchool } from '#app/domain/school/save-school.server.ts';
import { texts } from '#app/domain/texts.ts';
import { resource, signedInCall } from '#app/server/api-resource.server.ts';

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
