import { changeUser, deleteUser } from '#app/domain/people/change-user.server.ts';
import { requireUser } from '#app/domain/people/queries.server.ts';
import { changeUserSchema } from '#app/domain/people/schema.server.ts';
import { texts } from '#app/domain/texts.ts';
import { authedBodyCall, authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';

const guard = { can: 'manage users', ids: { id: texts.userNotFound } } as const;

export const loader = apiResource({
  PATCH: authedBodyCall({
    ...guard,
    body: changeUserSchema,
    precheck: ({ actor, params }) => requireUser(db, actor.schoolId, params.id),
    run: ({ actor, params, input, key }) => changeUser(db, actor, params.id, input, key),
  }),
  DELETE: authedCall({
    ...guard,
    run: ({ actor, params, key }) => deleteUser(db, actor, params.id, key),
  }),
});
export const action = loader;
