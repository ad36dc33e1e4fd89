import type { Invitation } from '#app/domain/invitations/schema.server.ts';
import { type OnLink, sendAndReturnLink } from '#app/domain/mail/queries.server.ts';
import { paths } from '#app/paths.ts';
import { mailedLinkToast, redirectWithToast } from '#app/server/flash.server.ts';

export async function sendInvitationAndRedirect(send: (onLink: OnLink) => Promise<Invitation>): Promise<Response> {
  const { result, link } = await sendAndReturnLink(send);
  const mailed = `An email with registration instructions is on its way to ${result.email}.`;
  return redirectWithToast(paths.invitations, mailedLinkToast('Invitation sent', mailed, link));
}
