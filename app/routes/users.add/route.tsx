import { authedFormAction, authedLoader, newFormRequestId } from '#app/server/screen.server.ts';
import { useActionData, useLoaderData } from '@remix-run/react';
import { Notice } from '#app/ui/elements.tsx';
import { ROLE_OPTIONS, USUAL_ROLE } from '#app/domain/roles.ts';
import { FormScreen } from '#app/ui/page/form-screen.tsx';
import { Screen, createTitleMeta, useToast } from '#app/ui/page/screen.tsx';
import { SelectField, TextField } from '#app/ui/forms/fields.tsx';
import { useForm } from '#app/ui/forms/form.tsx';
import { db } from '#app/server/db.server.ts';
import { addUser } from '#app/domain/people/change-user.server.ts';
import { type AddUserFormInput, addUserFormSchema } from '#app/domain/people/schema.server.ts';
import { assertSamePersonAnswered } from '#app/domain/people/former-users.server.ts';
import { SamePersonField } from '#app/features/people/same-person-field.tsx';
import { can } from '#app/domain/permissions.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { passwordHint } from '#app/domain/texts.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/form.tsx';

export const meta = createTitleMeta('Add User');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: async ({ actor }) => ({ canManage: can(actor.role, 'manage users'), requestId: newFormRequestId() }),
});

export const action = authedFormAction({
  can: 'manage users',
  schema: addUserFormSchema,
  failed: 'Failed to add user',
  hiddenFields: ['password'],
  run: async ({ actor, input: { askedAbout, ...input }, requestId }) => {
    await assertSamePersonAnswered(db, actor, { email: input.email, name: input.username }, askedAbout);
    await addUser(db, actor, input, requestId);
    return redirectWithToast(paths.users, successToast('User added successfully'));
  },
});

export default function AddUser() {
  const { canManage, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<AddUserFormInput>({
    id: 'user',
    lastResult: reply?.result,
    defaultValue: { role: USUAL_ROLE },
  });
  if (!canManage) return <OnlyAdministrators />;
  return (
    <FormScreen
      title="Add User"
      form={form}
      reply={reply}
      requestId={requestId}
      submit={{ label: 'Add User', pending: 'Adding...' }}
      cancelTo={paths.users}
    >
      <TextField
        field={fields.username}
        label="Username"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        required
      />
      <TextField field={fields.email} label="Email" type="email" autoComplete="off" required />
      <TextField
        field={fields.password}
        label="Password"
        hint={passwordHint}
        type="password"
        autoComplete="new-password"
        required
      />
      <SelectField field={fields.role} label="Role" options={ROLE_OPTIONS} required />
      <SamePersonField fields={fields} />
    </FormScreen>
  );
}

function OnlyAdministrators() {
  return (
    <Screen title="Add User" showBackLink toast={useToast(undefined)} width="form">
      <Notice tone="info">Only administrators can add new users.</Notice>
    </Screen>
  );
}
