import { deleteUser } from '#app/domain/people/delete-user.server.ts';
import { texts } from '#app/domain/texts.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';

const route = apiResource({
  DELETE: authedCall({
    can: 'manage users',
    ids: { id: texts.userNotFound },
    run: ({ actor, params, key }) => deleteUser(db, actor, params.id, key),
  }),
});

export const loader = route.loader;
export const action = route.action;
