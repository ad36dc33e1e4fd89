import { acceptInvitation } from '#app/domain/invitations/accept-invitation.server.ts';
import { findFormerUsername, findInvitationByToken } from '#app/domain/invitations/queries.server.ts';
import type { Actor } from '#app/domain/actor.ts';
import type { RegistrationFormInput } from '#app/domain/people/schema.server.ts';
import { texts } from '#app/domain/texts.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { newRequestId } from '#app/server/screen.server.ts';
import {
  dataWithOriginReferrer,
  dataWithoutReferrer,
  redirectForInvalidLink,
  requireLinkToken,
  withLinkToken,
} from '#app/server/session/token-links.server.ts';

export async function loadRegistration(actor: Actor | undefined, url: URL) {
  const token = requireLinkToken(url.searchParams.get('token'));
  const invitation = await findInvitationByToken(db, token);
  if (!invitation) throw await redirectForInvalidLink(texts.invitationInvalid);
  if (actor) return dataWithOriginReferrer({ signedInAs: actor.username });
  const username = await findFormerUsername(db, token);
  return dataWithoutReferrer({ signedInAs: null, invitation, username, token, requestId: newRequestId() });
}

interface Registration {
  form: FormData;
  input: RegistrationFormInput;
  requestId: string | undefined;
}

export function register({ form, input, requestId }: Registration) {
  return withLinkToken(async () => {
    await acceptInvitation(db, requireLinkToken(form.get('token')), input, requestId);
    const toast = successToast('Success', 'Registration successful! You can now log in.');
    return redirectWithToast(paths.auth, { ...toast, username: input.username });
  });
}
