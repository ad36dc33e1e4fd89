import { findPendingInvitations } from '#app/domain/invitations/queries.server.ts';
import { sendInvitationSchema } from '#app/domain/invitations/schema.server.ts';
import { sendInvitation } from '#app/domain/invitations/change-invitation.server.ts';
import { authedBodyCall, authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { pagedListResponse } from '#app/server/api/list-response.server.ts';
import { db } from '#app/server/db.server.ts';

export const loader = apiResource(
  {
    GET: authedCall({
      can: 'manage invitations',
      school: 'optional',
      run: ({ actor, request }) =>
        pagedListResponse(request, actor, (page) => findPendingInvitations(db, actor.schoolId, page), {
          hasChanges: false,
        }),
    }),
    POST: authedBodyCall({
      can: 'manage invitations',
      body: sendInvitationSchema,
      created: true,
      run: ({ actor, input, key }) => sendInvitation(db, actor, input, key),
    }),
  },
  ['POST'],
);
export const action = loader;
