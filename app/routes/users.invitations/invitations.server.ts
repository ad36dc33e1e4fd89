import { z } from 'zod';
import { db } from '#app/server/db.server.ts';
import { type Actor, requireSchool } from '#app/domain/actor.ts';
import { formatDate } from '#app/domain/format.server.ts';
import { deleteInvitation } from '#app/domain/invitations/delete-invitation.server.ts';
import { type Invitation, sendInvitationSchema } from '#app/domain/invitations/schema.server.ts';
import { resendInvitation } from '#app/domain/invitations/resend-invitation.server.ts';
import { sendInvitation } from '#app/domain/invitations/send-invitation.server.ts';
import { can } from '#app/domain/permissions.ts';
import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { paths } from '#app/paths.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { handleForm } from '#app/server/form-action.server.ts';
import { requireId } from '#app/server/ids.server.ts';

interface InvitationPost {
  actor: Actor;
  form: FormData;
}

/** For everybody but administrators there is no such page (B007, C32). */
export function assertCanManageInvitations(actor: Actor): void {
  if (!can(actor.role, 'manage invitations')) throw new AppError('notFound', '404 Page Not Found');
}

/** Does what a form of the invitations screen asks for. */
export function handlePost(post: InvitationPost) {
  const intent = post.form.get('intent');
  if (intent === 'delete-invitation') return handleDelete(post);
  if (intent === 'resend-invitation') return handleResend(post);
  return handleSend(post);
}

/** A pending invitation as the screen shows it; the day it was sent is the school's (C41). */
export function toInvitationView(invitation: Invitation, timeZone: string) {
  const { id, email, name, role, invitedBy, sentAt, expired, mailDelivered } = invitation;
  return { id, email, name, role, invitedBy, expired, mailDelivered, sent: formatDate(sentAt, timeZone) };
}

function handleSend({ actor, form }: InvitationPost) {
  return handleForm(form, sendInvitationSchema, { failed: 'Failed to send invitation' }, async (input, requestId) => {
    const { email } = await sendInvitation(db, requireSchool(actor), input, requestId);
    return redirectSent(email);
  });
}

const invitationIdSchema = z.object({ invitationId: z.string().optional() });

function handleResend({ actor, form }: InvitationPost) {
  return handleForm(
    form,
    invitationIdSchema,
    { failed: 'Failed to send invitation' },
    async ({ invitationId }, requestId) => {
      const id = requireId(invitationId, texts.invitationNotFound);
      const { email } = await resendInvitation(db, requireSchool(actor), id, requestId);
      return redirectSent(email);
    },
  );
}

function handleDelete({ actor, form }: InvitationPost) {
  return handleForm(
    form,
    invitationIdSchema,
    { failed: 'Failed to delete invitation' },
    async ({ invitationId }, requestId) => {
      const id = requireId(invitationId, texts.invitationNotFound);
      await deleteInvitation(db, requireSchool(actor), id, requestId);
      return redirectWithToast(paths.invitations, successToast('Invitation deleted'));
    },
  );
}

function redirectSent(email: string): Promise<Response> {
  const toast = successToast('Invitation sent', `An email with registration instructions is on its way to ${email}.`);
  return redirectWithToast(paths.invitations, toast);
}
