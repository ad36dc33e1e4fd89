import type { Trx } from '#db/connect.server.ts';
import { INVITATION_LIFE_MS } from '#app/limits.ts';
import type { Member } from '../actor.ts';
import { invitationEmail } from '../mail/email-templates.server.ts';
import { type OnLink, queueMail } from '../mail/queries.server.ts';
import { findSchoolName } from '../school/queries.server.ts';
import { createLinkToken } from '../link-tokens.server.ts';
import type { SendInvitationInput } from './schema.server.ts';

/** Creates a single-use link, valid for seven days, and queues its mail. */
export async function mailInvitation(
  trx: Trx,
  actor: Member,
  { name, email, role }: SendInvitationInput,
  onLink?: OnLink,
) {
  const { token, hash } = createLinkToken();
  const expires = new Date(Date.now() + INVITATION_LIFE_MS);
  const letter = invitationEmail({
    name,
    school: await findSchoolName(trx, actor.schoolId),
    sender: actor.username,
    role,
    token,
    expires,
    timeZone: actor.timeZone,
  });
  const mailId = await queueMail(trx, actor.schoolId, { name, address: email }, letter, expires);
  onLink?.(letter.link.url);
  return { token_hash: hash, expires_at: expires, mail_id: mailId, link_made_by: actor.id };
}
