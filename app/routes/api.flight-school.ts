import { AppError } from '#app/domain/app-error.ts';
import { findSchool } from '#app/domain/school/queries.server.ts';
import { saveSchool } from '#app/domain/school/save-school.server.ts';
import { schoolInputSchema } from '#app/domain/school/schema.server.ts';
import { texts } from '#app/domain/texts.ts';
import { authedBodyCall, authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';

export const loader = apiResource({
  GET: authedCall({
    can: 'anyRole',
    school: 'optional',
    run: async ({ actor }) => {
      const school = await findSchool(db, actor.schoolId);
      if (!school) throw new AppError('notFound', texts.noSchool);
      return school;
    },
  }),
  PUT: authedBodyCall({
    can: 'manage school',
    school: 'optional',
    body: schoolInputSchema,
    run: ({ actor, input, key }) => saveSchool(db, actor, input, key),
  }),
});
export const action = loader;
