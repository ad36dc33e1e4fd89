import { z } from 'zod';
import { db } from '#app/server/db.server.ts';
import { type Actor, requireSchool, assertCan } from '#app/domain/actor.ts';
import { requireInvitationId, acceptInvitation } from '#app/domain/invitations/accept-invitation.server.ts';
import { addUser } from '#app/domain/people/add-user.server.ts';
import { addUserSchema, registerSchema } from '#app/domain/people/schema.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import {
  type ApiRequest,
  jsonResponse,
  parseOrThrow,
  apiResource,
  requireUser,
} from '#app/server/api-resource.server.ts';

const registration = z.looseObject({ invitationToken: z.string().min(1) });

/** Two calls in one (C21): who has an invitation's token registers, an administrator without one adds a user. */
const route = apiResource({
  POST: async (call) => {
    const body = await call.body(z.unknown());
    const { data: invited } = registration.safeParse(body);
    return jsonResponse(await (invited ? accept(call, invited) : add(call, body)), 201);
  },
});

export const loader = route.loader;
export const action = route.action;

async function accept({ key }: ApiRequest, body: z.infer<typeof registration>) {
  await requireInvitationId(db, body.invitationToken);
  return acceptInvitation(db, body.invitationToken, parseOrThrow(registerSchema, body), key);
}

function add(call: ApiRequest, body: unknown) {
  return requireUser(async ({ actor, key }) => {
    assertCan(actor, 'manage users');
    assertOwnSchool(actor, body);
    return addUser(db, requireSchool(actor), parseOrThrow(addUserSchema, body), key);
  })(call);
}

/** The session says which school it is; the one that is named is only held against it (C20). */
function assertOwnSchool(actor: Actor, body: unknown): void {
  const named = z.looseObject({ flightSchoolId: z.unknown() }).safeParse(body).data?.flightSchoolId;
  if (named !== undefined && named !== null && named !== actor.schoolId)
    throw new AppError('forbidden', texts.forbidden);
}
