import { z } from 'zod';
import { db } from '#app/server/db.server.ts';
import { type Actor, asMember } from '#app/domain/actor.ts';
import { day } from '#app/domain/format.server.ts';
import { deleteInvitation } from '#app/domain/invitations/delete-invitation.server.ts';
import { invitationFields } from '#app/domain/invitations/schema.server.ts';
import type { Invitation } from '#app/domain/invitations/queries.server.ts';
import { resendInvitation } from '#app/domain/invitations/resend-invitation.server.ts';
import { sendInvitation } from '#app/domain/invitations/send-invitation.server.ts';
import { may } from '#app/domain/permissions.ts';
import { Refusal } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { paths } from '#app/paths.ts';
import { redirectWith, success } from '#app/server/flash.server.ts';
import { settle } from '#app/server/form-action.server.ts';
import { requiredId } from '#app/server/ids.server.ts';

interface Post {
  actor: Actor;
  form: FormData;
}

/** For everybody but administrators there is no such page (B007, C32). */
export function assertThereFor(actor: Actor): void {
  if (!may(actor.role, 'manage invitations')) throw new Refusal('notFound', '404 Page Not Found');
}

/** Does what a form of the invitations screen asks for. */
export function takePost(post: Post) {
  const intent = post.form.get('intent');
  if (intent === 'delete-invitation') return takeDelete(post);
  if (intent === 'resend-invitation') return takeResend(post);
  return takeSend(post);
}

/** A pending invitation as the screen shows it; the day it was sent is the school's (C41). */
export function shownInvitation(invitation: Invitation, timeZone: string) {
  const { id, email, name, role, invitedBy, sentAt, expired, mailDelivered } = invitation;
  return { id, email, name, role, invitedBy, expired, mailDelivered, sent: day(sentAt, timeZone) };
}

function takeSend({ actor, form }: Post) {
  return settle(form, invitationFields, { failed: 'Failed to send invitation' }, async (input, requestId) => {
    const { email } = await sendInvitation(db, asMember(actor), input, requestId);
    return sent(email);
  });
}

const whichOne = z.object({ invitationId: z.string().optional() });

function takeResend({ actor, form }: Post) {
  return settle(form, whichOne, { failed: 'Failed to send invitation' }, async ({ invitationId }, requestId) => {
    const id = requiredId(invitationId, texts.invitationNotFound);
    const { email } = await resendInvitation(db, asMember(actor), id, requestId);
    return sent(email);
  });
}

function takeDelete({ actor, form }: Post) {
  return settle(form, whichOne, { failed: 'Failed to delete invitation' }, async ({ invitationId }, requestId) => {
    const id = requiredId(invitationId, texts.invitationNotFound);
    await deleteInvitation(db, asMember(actor), id, requestId);
    return redirectWith(paths.invitations, success('Invitation deleted'));
  });
}

function sent(email: string): Promise<Response> {
  const toast = success('Invitation sent', `An email with registration instructions is on its way to ${email}.`);
  return redirectWith(paths.invitations, toast);
}
