import { db } from '#app/server/db.server.ts';
import { asMember, authorize } from '#app/domain/actor.ts';
import { invitationFields } from '#app/domain/invitations/schema.server.ts';
import { findPendingInvitations } from '#app/domain/invitations/queries.server.ts';
import { sendInvitation } from '#app/domain/invitations/send-invitation.server.ts';
import { json, resource, signedInCall } from '#app/server/api-resource.server.ts';

const route = resource(
  {
    GET: signedInCall(async ({ actor }) => {
      authorize(actor, 'manage invitations');
      return actor.schoolId === null ? [] : findPendingInvitations(db, actor.schoolId);
    }),
    POST: signedInCall(async ({ actor, body, key }) => {
      authorize(actor, 'manage invitations');
      return json(await sendInvitation(db, asMember(actor), await body(invitationFields), key), 201);
    }),
  },
  ['POST'],
);

export const loader = route.loader;
export const action = route.action;
