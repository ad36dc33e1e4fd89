import { db } from '#app/server/db.server.ts';
import { requireSchool, assertCan } from '#app/domain/actor.ts';
import { sendInvitationSchema } from '#app/domain/invitations/schema.server.ts';
import { findPendingInvitations } from '#app/domain/invitations/queries.server.ts';
import { sendInvitation } from '#app/domain/invitations/send-invitation.server.ts';
import { jsonResponse, apiResource, requireUser } from '#app/server/api-resource.server.ts';

const route = apiResource(
  {
    GET: requireUser(async ({ actor }) => {
      assertCan(actor, 'manage invitations');
      return actor.schoolId === null ? [] : findPendingInvitations(db, actor.schoolId);
    }),
    POST: requireUser(async ({ actor, body, key }) => {
      assertCan(actor, 'manage invitations');
      return jsonResponse(await sendInvitation(db, requireSchool(actor), await body(sendInvitationSchema), key), 201);
    }),
  },
  ['POST'],
);

export const loader = route.loader;
export const action = route.action;
