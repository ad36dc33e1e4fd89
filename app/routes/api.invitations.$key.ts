import { db } from '#app/server/db.server.ts';
import { requireSchool, assertCan } from '#app/domain/actor.ts';
import { deleteInvitation } from '#app/domain/invitations/delete-invitation.server.ts';
import { findInvitationByToken } from '#app/domain/invitations/queries.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { apiResource, requireUser } from '#app/server/api-resource.server.ts';
import { requireId } from '#app/server/ids.server.ts';

/** One path, two keys: what is read is named by its token and never by its id, what is deleted by its id (C24). */
const route = apiResource({
  GET: async ({ params }) => {
    const welcome = await findInvitationByToken(db, params.key ?? '');
    if (!welcome) throw new AppError('notFound', texts.invitationInvalid);
    return welcome;
  },
  DELETE: requireUser(async ({ actor, params, key }) => {
    assertCan(actor, 'manage invitations');
    return deleteInvitation(db, requireSchool(actor), requireId(params.key, texts.invitationNotFound), key);
  }),
});

export const loader = route.loader;
export const action = route.action;
