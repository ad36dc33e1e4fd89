import { db } from '../db.server.ts';
import { asMember, authorize } from '../domain/actor.ts';
import { deleteUser } from '../domain/people/delete-user.server.ts';
import { texts } from '../domain/texts.ts';
import { resource, signedInCall } from '../http/api.server.ts';
import { requiredId } from '../http/ids.server.ts';

const route = resource({
  DELETE: signedInCall(async ({ actor, params, key }) => {
    authorize(actor, 'manage users');
    return deleteUser(db, asMember(actor), requiredId(params.id, texts.userNotFound), key);
  }),
});

export const loader = route.loader;
export const action = route.action;
