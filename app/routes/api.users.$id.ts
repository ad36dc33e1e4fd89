import { db } from '#app/server/db.server.ts';
import { asMember, authorize } from '#app/domain/actor.ts';
import { deleteUser } from '#app/domain/people/delete-user.server.ts';
import { texts } from '#app/domain/texts.ts';
import { resource, signedInCall } from '#app/server/api-resource.server.ts';
import { requiredId } from '#app/server/ids.server.ts';

const route = resource({
  DELETE: signedInCall(async ({ actor, params, key }) => {
    authorize(actor, 'manage users');
    return deleteUser(db, asMember(actor), requiredId(params.id, texts.userNotFound), key);
  }),
});

export const loader = route.loader;
export const action = route.action;
