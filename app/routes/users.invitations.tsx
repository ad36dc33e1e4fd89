import type { SubmissionResult } from '@conform-to/react';
import { Form, useActionData, useLoaderData } from '@remix-run/react';
import { Card } from '../components/card.tsx';
import { Columns } from '../components/columns.tsx';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { ErrorSummary } from '../components/error-summary.tsx';
import { RequestId } from '../components/hidden-field.tsx';
import { PendingInvitations } from '../components/pending-invitations.tsx';
import { ROLE_CHOICES } from '../components/role-choices.ts';
import { Screen } from '../components/screen.tsx';
import { SelectField } from '../components/select-field.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { TextField } from '../components/text-field.tsx';
import { useForm } from '../components/use-form.ts';
import { titled, useToast } from '../components/use-root.ts';
import { db } from '../db.server.ts';
import type { InvitationFields } from '../domain/invitations/fields.server.ts';
import { findPendingInvitations } from '../domain/invitations/queries.server.ts';
import { newRequestId } from '../http/forms.server.ts';
import { idFrom } from '../http/ids.server.ts';
import { assertThereFor, shownInvitation, takePost } from '../http/invitations.server.ts';
import { signedIn, signedInPost } from '../http/screen.server.ts';
import { paths } from '../paths.ts';

export { clientAction } from '../components/keep-form.ts';

export const meta = titled('Invitations');

export const loader = signedIn(async ({ actor, url }) => {
  assertThereFor(actor);
  const pending = actor.schoolId === null ? [] : await findPendingInvitations(db, actor.schoolId);
  const asked = /^delete-invitation:(\d+)$/.exec(url.searchParams.get('confirm') ?? '')?.[1];
  const invitations = pending.map((invitation) => shownInvitation(invitation, actor.timeZone));
  return { invitations, toDelete: invitations.find(({ id }) => id === idFrom(asked)), requestId: newRequestId() };
});

export const action = signedInPost(async (post) => {
  assertThereFor(post.actor);
  return takePost(post);
});

export default function Invitations() {
  const { invitations, toDelete, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<InvitationFields>({
    id: 'invitation',
    lastResult: reply?.result && isAboutANewOne(reply.result) ? reply.result : undefined,
    defaultValue: { role: 'student' },
  });
  const question = toDelete && (
    <ConfirmDialog
      title="Delete Invitation"
      text={`Are you sure you want to delete the invitation for ${toDelete.email}? This action cannot be undone.`}
      confirmLabel="Delete"
      pending="Deleting..."
      cancelHref={paths.invitations}
      fields={{ intent: 'delete-invitation', invitationId: String(toDelete.id), requestId }}
    />
  );
  return (
    <Screen title="Invitations" back lead={question ?? <ErrorSummary form={form} />} toast={useToast(reply)}>
      <Columns>
        <Card title="Send New Invitation" subtitle="Invite new users to join your flight school">
          {/* A sent invitation leaves an empty form of its own (B221). */}
          <Form key={requestId} method="post" action={paths.invitations} id={form.id} noValidate>
            <RequestId value={requestId} />
            <TextField field={fields.name} label="Name" autoComplete="off" required />
            <TextField field={fields.email} label="Email" type="email" autoComplete="off" required />
            <SelectField field={fields.role} label="Role" options={ROLE_CHOICES} required />
            <SubmitButton pending="Sending...">Send Invitation</SubmitButton>
          </Form>
        </Card>
        <PendingInvitations invitations={invitations} requestId={requestId} />
      </Columns>
    </Screen>
  );
}

/** And not about one in the list, whose forms have no fields to fill in. */
function isAboutANewOne({ initialValue }: SubmissionResult): boolean {
  return initialValue?.invitationId === undefined;
}
