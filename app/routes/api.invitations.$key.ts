import { AppError } from '#app/domain/app-error.ts';
import { changeInvitation, deleteInvitation } from '#app/domain/invitations/change-invitation.server.ts';
import { changeInvitationSchema } from '#app/domain/invitations/schema.server.ts';
import { findInvitationByToken, requirePendingInvitation } from '#app/domain/invitations/queries.server.ts';
import { texts } from '#app/domain/texts.ts';
import { authedBodyCall, authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';

/** GET takes the key as a token and never as an id, PATCH and DELETE as an id. */
export const loader = apiResource({
  GET: async ({ params }) => {
    const invitation = await findInvitationByToken(db, params.key ?? '');
    if (!invitation) throw new AppError('notFound', texts.invitationInvalid);
    return invitation;
  },
  PATCH: authedBodyCall({
    can: 'manage invitations',
    ids: { key: texts.invitationNotFound },
    body: changeInvitationSchema,
    precheck: ({ actor, params }) => requirePendingInvitation(db, actor.schoolId, params.key),
    run: ({ actor, params, input, key }) => changeInvitation(db, actor, params.key, input, key),
  }),
  DELETE: authedCall({
    can: 'manage invitations',
    ids: { key: texts.invitationNotFound },
    run: ({ actor, params, key }) => deleteInvitation(db, actor, params.key, key),
  }),
});
export const action = loader;
