import { AppError } from '#app/domain/app-error.ts';
import { assertSquawkChangeable, changeSquawk } from '#app/domain/squawks/change-squawk.server.ts';
import { findSquawk } from '#app/domain/squawks/queries.server.ts';
import { changeSquawkSchema, changeSquawkStateSchema } from '#app/domain/squawks/schema.server.ts';
import { authedBodyCall, authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';
import { squawkTexts } from '#app/domain/squawks/squawk-texts.server.ts';

const ids = { id: squawkTexts.squawkNotFound };

export const loader = apiResource({
  GET: authedCall({
    can: 'anyRole',
    school: 'optional',
    ids,
    run: async ({ actor, params }) => {
      const squawk = await findSquawk(db, actor.schoolId, params.id);
      if (!squawk) throw new AppError('notFound', squawkTexts.squawkNotFound);
      return squawk;
    },
  }),
  PATCH: authedBodyCall({
    can: 'anyRole',
    ids,
    body: changeSquawkSchema,
    precheck: async ({ actor, params, body }) => {
      const { data } = changeSquawkStateSchema.safeParse(body);
      if (data) await assertSquawkChangeable(db, actor, params.id, data.state);
      else if (!(await findSquawk(db, actor.schoolId, params.id)))
        throw new AppError('notFound', squawkTexts.squawkNotFound);
    },
    run: ({ actor, params, input, key }) => changeSquawk(db, actor, params.id, input, key),
  }),
});
export const action = loader;
