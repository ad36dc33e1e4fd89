import { db } from '#app/server/db.server.ts';
import { assertCan } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import { schoolSchema } from '#app/domain/school/schema.server.ts';
import { findSchool } from '#app/domain/school/queries.server.ts';
import { saveSchool } from '#app/domain/school/save-school.server.ts';
import { texts } from '#app/domain/texts.ts';
import { apiResource, requireUser } from '#app/server/api-resource.server.ts';

const route = apiResource({
  GET: requireUser(async ({ actor }) => {
    const school = await findSchool(db, actor.schoolId);
    if (!school) throw new AppError('notFound', texts.noSchool);
    return school;
  }),
  PUT: requireUser(async ({ actor, body, key }) => {
    assertCan(actor, 'manage school');
    return saveSchool(db, actor, await body(schoolSchema), key);
  }),
});

export const loader = route.loader;
export const action = route.action;
