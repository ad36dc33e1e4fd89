import type { Invitation } from '#app/domain/invitations/schema.server.ts';
import { type OnLink, withLink } from '#app/domain/mail/queries.server.ts';
import { paths } from '#app/paths.ts';
import { linkToast, redirectWithToast } from '#app/server/flash.server.ts';

export async function redirectToInvitations(send: (onLink: OnLink) => Promise<Invitation>): Promise<Response> {
  const { result, link } = await withLink(send);
  const mailed = `An email with registration instructions is on its way to ${result.email}.`;
  return redirectWithToast(paths.invitations, linkToast('Invitation sent', mailed, link));
}
