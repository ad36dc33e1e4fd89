import { z } from 'zod';
import type { Member } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import { acceptInvitation } from '#app/domain/invitations/accept-invitation.server.ts';
import { requireInvitationByToken } from '#app/domain/invitations/queries.server.ts';
import { addUser } from '#app/domain/people/change-user.server.ts';
import { addUserCallSchema, registerSchema } from '#app/domain/people/schema.server.ts';
import { texts } from '#app/domain/texts.ts';
import { type ApiRequest, authorizeCall, publicBodyCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { jsonResponse } from '#app/server/api/api-responses.server.ts';
import { db } from '#app/server/db.server.ts';
import { parseBody } from '#app/server/parse.server.ts';

const invitedSchema = z.looseObject({ invitationToken: z.string().min(1) });

/** The route is two calls: a person with an invitation's token registers; an administrator without one adds a user. */
export const loader = apiResource({
  POST: publicBodyCall({
    body: z.unknown(),
    run: async (call) => {
      const { data: invited } = invitedSchema.safeParse(call.input);
      return jsonResponse(await (invited ? register(call, invited) : addUserAsAdministrator(call, call.input)), 201);
    },
  }),
});
export const action = loader;

async function register({ key }: ApiRequest, body: z.infer<typeof invitedSchema>) {
  await requireInvitationByToken(db, body.invitationToken);
  return acceptInvitation(db, body.invitationToken, parseBody(registerSchema, body), key);
}

async function addUserAsAdministrator(call: ApiRequest, body: unknown) {
  const { actor } = await authorizeCall(call, { can: 'manage users' });
  assertOwnSchool(actor, body);
  return addUser(db, actor, parseBody(addUserCallSchema, body), call.key);
}

// The session decides which school it is; an id in the body is only compared with it.
function assertOwnSchool(actor: Member, body: unknown): void {
  const { data } = z.looseObject({ flightSchoolId: z.unknown() }).safeParse(body);
  const requestedId = data?.flightSchoolId ?? '';
  const isOwn = requestedId === '' || requestedId === actor.schoolId || requestedId === String(actor.schoolId);
  if (!isOwn) throw new AppError('forbidden', texts.forbidden);
}
