import { z } from 'zod';
import { db } from '#app/server/db.server.ts';
import { type Actor, asMember, authorize } from '#app/domain/actor.ts';
import { assertIssued, register } from '#app/domain/invitations/accept-invitation.server.ts';
import { addUser } from '#app/domain/people/add-user.server.ts';
import { addUserFields, registerFields } from '#app/domain/people/schema.server.ts';
import { Refusal } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { type Call, json, parsed, resource, signedInCall } from '#app/server/api-resource.server.ts';

const registration = z.looseObject({ invitationToken: z.string().min(1) });

/** Two calls in one (C21): who has an invitation's token registers, an administrator without one adds a user. */
const route = resource({
  POST: async (call) => {
    const body = await call.body(z.unknown());
    const { data: invited } = registration.safeParse(body);
    return json(await (invited ? accept(call, invited) : add(call, body)), 201);
  },
});

export const loader = route.loader;
export const action = route.action;

async function accept({ key }: Call, body: z.infer<typeof registration>) {
  await assertIssued(db, body.invitationToken);
  return register(db, body.invitationToken, parsed(registerFields, body), key);
}

function add(call: Call, body: unknown) {
  return signedInCall(async ({ actor, key }) => {
    authorize(actor, 'manage users');
    assertOwnSchool(actor, body);
    return addUser(db, asMember(actor), parsed(addUserFields, body), key);
  })(call);
}

/** The session says which school it is; the one that is named is only held against it (C20). */
function assertOwnSchool(actor: Actor, body: unknown): void {
  const named = z.looseObject({ flightSchoolId: z.unknown() }).safeParse(body).data?.flightSchoolId;
  if (named !== undefined && named !== null && named !== actor.schoolId) throw new Refusal('forbidden', texts.forbidden);
}
