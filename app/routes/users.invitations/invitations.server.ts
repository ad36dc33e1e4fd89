import { z } from 'zod';
import type { Actor, Member } from '#app/domain/actor.ts';
import { formatDate } from '#app/domain/format.server.ts';
import {
  deleteInvitation,
  resendInvitation,
  sendInvitation,
} from '#app/domain/invitations/change-invitation.server.ts';
import { findJoinedInvitations, type JoinedInvitation } from '#app/domain/invitations/joined-invitations.server.ts';
import { findPendingInvitations } from '#app/domain/invitations/queries.server.ts';
import { type Invitation, invitationFormSchema } from '#app/domain/invitations/schema.server.ts';
import { explainMailError } from '#app/domain/mail/mail-errors.server.ts';
import { findNamesakeMarks, markedName, type NamesakeMarks } from '#app/domain/people/namesakes.server.ts';
import { assertSamePersonAnswered } from '#app/domain/people/former-users.server.ts';
import { texts } from '#app/domain/texts.ts';
import { env } from '#app/env.server.ts';
import { sendInvitationAndRedirect } from '#app/features/people/redirect-to-invitations.server.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { handleForm, newFormRequestId } from '#app/server/screen.server.ts';
import type { FormRequest } from '#app/server/posted-forms.server.ts';
import { parseId, requireId } from '#app/server/query-values.server.ts';

export const INVITATIONS_GUARD = { can: 'manage invitations', notFoundUnlessCan: texts.pageNotFound } as const;

export async function loadInvitations(actor: Actor, url: URL) {
  const [pending, joined, marks] = await Promise.all([
    findPendingInvitations(db, actor.schoolId),
    findJoinedInvitations(db, actor.schoolId),
    findNamesakeMarks(db, actor),
  ]);
  const confirmId = /^delete-invitation:(\d+)$/.exec(url.searchParams.get('confirm') ?? '')?.[1];
  const invitations = pending.map((invitation) => toInvitationView(invitation, marks, actor.timeZone));
  const toDelete = invitations.find(({ id }) => id === parseId(confirmId));
  const joinedViews = joined.map((one) => toJoinedView(one, marks, actor.timeZone));
  return { invitations, joined: joinedViews, toDelete, requestId: newFormRequestId() };
}

type InvitationRequest = FormRequest & { actor: Member };

export function handleInvitationForm(context: InvitationRequest) {
  const intent = context.form.get('intent');
  if (intent === 'delete-invitation') return handleDelete(context);
  if (intent === 'resend-invitation') return handleResend(context);
  return handleSend(context);
}

function toInvitationView(invitation: Invitation, marks: NamesakeMarks, timeZone: string) {
  const { id, email, name, role, sentAt, expired, mailDelivered } = invitation;
  const invitedBy = markedName(marks, invitation.invitedBy);
  const sent = formatDate(sentAt, timeZone);
  return { id, email, name, role, invitedBy, expired, mailDelivered, ...mailTroubleOf(invitation), sent };
}

function toJoinedView(invitation: JoinedInvitation, marks: NamesakeMarks, timeZone: string) {
  const { id, name, role, userId, username, joinedAt } = invitation;
  const joinedAs = markedName(marks, { id: userId, username });
  return { id, name, role, joinedAs, joined: formatDate(joinedAt, timeZone) };
}

/** Returns what an office understands, and what the mail server or the network said. */
function mailTroubleOf({ mailDelivered, mailError, mailRefused }: Invitation) {
  const none = { mailProblem: null, mailAnswer: null };
  if (mailDelivered) return none;
  if (env.SMTP_URL === undefined) return { ...none, mailProblem: texts.noMailServerLinkShown };
  if (mailError === null) return none;
  const whatNext = mailRefused ? texts.mailRefused : texts.mailTriedAgain;
  return { mailProblem: `${explainMailError(mailError)} ${whatNext}`, mailAnswer: mailError };
}

function handleSend(context: InvitationRequest) {
  return handleForm(context, {
    schema: invitationFormSchema,
    failed: 'Failed to send invitation',
    run: async ({ actor, input: { askedAbout, ...input }, requestId }) => {
      await assertSamePersonAnswered(db, actor, input, askedAbout);
      return sendInvitationAndRedirect((onLink) => sendInvitation(db, actor, input, requestId, onLink));
    },
  });
}

const invitationIdSchema = z.object({ invitationId: z.string().optional() });

function handleResend(context: InvitationRequest) {
  return handleForm(context, {
    schema: invitationIdSchema,
    failed: 'Failed to send invitation',
    run: async ({ actor, input, requestId }) => {
      const id = requireId(input.invitationId, texts.invitationNotFound);
      return sendInvitationAndRedirect((onLink) => resendInvitation(db, actor, id, requestId, onLink));
    },
  });
}

function handleDelete(context: InvitationRequest) {
  return handleForm(context, {
    schema: invitationIdSchema,
    failed: 'Failed to delete invitation',
    run: async ({ actor, input, requestId }) => {
      const id = requireId(input.invitationId, texts.invitationNotFound);
      await deleteInvitation(db, actor, id, requestId);
      return redirectWithToast(paths.invitations, successToast('Invitation deleted'));
    },
  });
}
