import { db } from '#app/server/db.server.ts';
import { asMember, authorize } from '#app/domain/actor.ts';
import { deleteInvitation } from '#app/domain/invitations/delete-invitation.server.ts';
import { findWelcome } from '#app/domain/invitations/queries.server.ts';
import { Refusal } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { resource, signedInCall } from '#app/server/api-resource.server.ts';
import { requiredId } from '#app/server/ids.server.ts';

/** One path, two keys: what is read is named by its token and never by its id, what is deleted by its id (C24). */
const route = resource({
  GET: async ({ params }) => {
    const welcome = await findWelcome(db, params.key ?? '');
    if (!welcome) throw new Refusal('notFound', texts.invitationInvalid);
    return welcome;
  },
  DELETE: signedInCall(async ({ actor, params, key }) => {
    authorize(actor, 'manage invitations');
    return deleteInvitation(db, asMember(actor), requiredId(params.key, texts.invitationNotFound), key);
  }),
});

export const loader = route.loader;
export const action = route.action;
