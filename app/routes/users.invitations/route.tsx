import { keepFormOnNetworkError, ErrorSummary, PostForm, SubmitButton, useForm } from '#app/ui/forms/form.tsx';
import { handleInvitationForm, INVITATIONS_GUARD, loadInvitations } from './invitations.server.ts';
import { authedAction, authedLoader } from '#app/server/screen.server.ts';
import type { SubmissionResult } from '@conform-to/react';
import { useActionData, useLoaderData } from '@remix-run/react';
import { Card, Columns } from '#app/ui/elements.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { SelectField, TextField } from '#app/ui/forms/fields.tsx';
import { SamePersonField } from '#app/features/people/same-person-field.tsx';
import { JoinedInvitations, PendingInvitations } from './invitation-lists.tsx';
import { ROLE_OPTIONS, USUAL_ROLE } from '#app/domain/roles.ts';
import { LinkToCopy } from '#app/ui/page/link-to-copy.tsx';
import { Screen, createTitleMeta, useToast } from '#app/ui/page/screen.tsx';
import type { InvitationFormInput } from '#app/domain/invitations/schema.server.ts';
import { paths } from '#app/paths.ts';

export const clientAction = keepFormOnNetworkError((intent) =>
  intent === 'delete-invitation' ? 'Failed to delete invitation' : 'Failed to send invitation',
);

export { handle } from '#app/ui/page/school-navigation.tsx';

export const meta = createTitleMeta('Invitations');

export const loader = authedLoader({
  ...INVITATIONS_GUARD,
  school: 'optional',
  load: ({ actor, url }) => loadInvitations(actor, url),
});

export const action = authedAction({ ...INVITATIONS_GUARD, handle: handleInvitationForm });

export default function Invitations() {
  const { invitations, joined, toDelete, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<InvitationFormInput>({
    id: 'invitation',
    lastResult: reply?.result && isAboutNewInvitation(reply.result) ? reply.result : undefined,
    defaultValue: { role: USUAL_ROLE },
  });
  const question = toDelete && (
    <ConfirmDialog
      title="Delete Invitation"
      text={`Are you sure you want to delete the invitation for ${toDelete.email}? This action cannot be undone.`}
      confirmLabel="Delete"
      pendingLabel="Deleting..."
      cancelHref={paths.invitations}
      formValues={{ intent: 'delete-invitation', invitationId: String(toDelete.id), requestId }}
    />
  );
  const toast = useToast(reply);
  return (
    <Screen title="Invitations" showBackLink beforeTitle={question ?? <ErrorSummary form={form} />} toast={toast}>
      <LinkToCopy toast={toast} />
      <Columns>
        <Card title="Send New Invitation" subtitle="Invite new users to join your flight school">
          <PostForm action={paths.invitations} id={form.id} requestId={requestId}>
            <TextField field={fields.name} label="Name" autoComplete="off" required />
            <TextField field={fields.email} label="Email" type="email" autoComplete="off" required />
            <SelectField field={fields.role} label="Role" options={ROLE_OPTIONS} required />
            <SamePersonField fields={fields} />
            <SubmitButton pendingLabel="Sending...">Send Invitation</SubmitButton>
          </PostForm>
        </Card>
        <PendingInvitations invitations={invitations} requestId={requestId} />
      </Columns>
      <JoinedInvitations invitations={joined} />
    </Screen>
  );
}

/** Tells the form for a new invitation from those of the list, which have no fields to show errors at. */
function isAboutNewInvitation({ initialValue }: SubmissionResult): boolean {
  return initialValue?.invitationId === undefined;
}
