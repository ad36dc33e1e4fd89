import { db } from '../db.server.ts';
import { asMember, authorize } from '../domain/actor.ts';
import { invitationFields } from '../domain/invitations/fields.server.ts';
import { findPendingInvitations } from '../domain/invitations/queries.server.ts';
import { sendInvitation } from '../domain/invitations/send-invitation.server.ts';
import { json, resource, signedInCall } from '../http/api.server.ts';

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
