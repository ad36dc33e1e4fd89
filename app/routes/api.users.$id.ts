import { db } from '#app/server/db.server.ts';
import { requireSchool, assertCan } from '#app/domain/actor.ts';
import { deleteUser } from '#app/domain/people/delete-user.server.ts';
import { texts } from '#app/domain/texts.ts';
import { apiResource, requireUser } from '#app/server/api-resource.server.ts';
import { requireId } from '#app/server/ids.server.ts';

const route = apiResource({
  DELETE: requireUser(async ({ actor, params, key }) => {
    assertCan(actor, 'manage users');
    return deleteUser(db, requireSchool(actor), requireId(params.id, texts.userNotFound), key);
  }),
});

export const loader = route.loader;
export const action = route.action;
