import { useActionData, useLoaderData } from '@remix-run/react';
import { changeInvitation } from '#app/domain/invitations/change-invitation.server.ts';
import { requirePendingInvitation } from '#app/domain/invitations/queries.server.ts';
import { type InvitationFormInput, invitationFormSchema } from '#app/domain/invitations/schema.server.ts';
import { assertSamePersonAnswered } from '#app/domain/people/former-users.server.ts';
import { texts } from '#app/domain/texts.ts';
import { sendInvitationAndRedirect } from '#app/features/people/redirect-to-invitations.server.ts';
import { ROLE_OPTIONS } from '#app/domain/roles.ts';
import { SamePersonField } from '#app/features/people/same-person-field.tsx';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { authedFormAction, authedLoader, newFormRequestId } from '#app/server/screen.server.ts';
import { SelectField, TextField } from '#app/ui/forms/fields.tsx';
import { useForm } from '#app/ui/forms/form.tsx';
import { createTitleMeta } from '#app/ui/page/screen.tsx';
import { FormScreen } from '#app/ui/page/form-screen.tsx';

export { clientAction } from '#app/ui/forms/form.tsx';

export { handle } from '#app/ui/page/school-navigation.tsx';

export const meta = createTitleMeta('Edit Invitation');

const guard = {
  can: 'manage invitations',
  notFoundUnlessCan: texts.pageNotFound,
  ids: { id: texts.invitationNotFound },
} as const;

export const loader = authedLoader({
  ...guard,
  load: async ({ actor, params }) => {
    const { name, email, role, samePerson } = await requirePendingInvitation(db, actor.schoolId, params.id);
    const askedAbout = samePerson ? { askedAbout: email, samePerson: 'on' } : {};
    return { invitation: { name, email, role, ...askedAbout }, requestId: newFormRequestId() };
  },
});

export const action = authedFormAction({
  ...guard,
  schema: invitationFormSchema,
  failed: 'Failed to send invitation',
  precheck: ({ actor, params }) => requirePendingInvitation(db, actor.schoolId, params.id),
  run: async ({ actor, params, input: { askedAbout, ...input }, requestId }) => {
    const { email } = await requirePendingInvitation(db, actor.schoolId, params.id);
    await assertSamePersonAnswered(db, actor, input, askedAbout ?? email);
    const change = { ...input, samePerson: input.samePerson ?? false };
    return sendInvitationAndRedirect((onLink) => changeInvitation(db, actor, params.id, change, requestId, onLink));
  },
});

export default function EditInvitation() {
  const { invitation, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const lastResult = reply?.result;
  const [form, fields] = useForm<InvitationFormInput>({ id: 'invitation', lastResult, defaultValue: invitation });
  return (
    <FormScreen
      title="Edit Invitation"
      subtitle="A new link is sent; the former one no longer works."
      form={form}
      reply={reply}
      requestId={requestId}
      submit={{ label: 'Save and Send', pending: 'Sending...' }}
      cancelTo={paths.invitations}
    >
      <TextField field={fields.name} label="Name" autoComplete="off" required />
      <TextField field={fields.email} label="Email" type="email" autoComplete="off" required />
      <SelectField field={fields.role} label="Role" options={ROLE_OPTIONS} required />
      <SamePersonField fields={fields} />
    </FormScreen>
  );
}
