import { Form, useActionData, useLoaderData } from '@remix-run/react';
import { ButtonLink } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { Actions } from '../components/columns.tsx';
import { ErrorSummary } from '../components/error-summary.tsx';
import { RequestId } from '../components/hidden-field.tsx';
import { Notice } from '../components/notice.tsx';
import { ROLE_CHOICES } from '../components/role-choices.ts';
import { Screen } from '../components/screen.tsx';
import { SelectField } from '../components/select-field.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { TextField } from '../components/text-field.tsx';
import { useForm } from '../components/use-form.ts';
import { titled, useToast } from '../components/use-root.ts';
import { db } from '../db.server.ts';
import { asMember, authorize } from '../domain/actor.ts';
import { addUser } from '../domain/people/add-user.server.ts';
import { type AddUserFields, addUserFields } from '../domain/people/fields.server.ts';
import { may } from '../domain/permissions.ts';
import { redirectWith, success } from '../http/flash.server.ts';
import { newRequestId, settle } from '../http/forms.server.ts';
import { signedIn, signedInPost } from '../http/screen.server.ts';
import { paths } from '../paths.ts';

export { clientAction } from '../components/keep-form.ts';

export const meta = titled('Add User');

export const loader = signedIn(async ({ actor }) => ({
  manages: may(actor.role, 'manage users'),
  requestId: newRequestId(),
}));

export const action = signedInPost(async ({ actor, form }) => {
  authorize(actor, 'manage users');
  const settling = { failed: 'Failed to add user', hide: ['password'] };
  return settle(form, addUserFields, settling, async (input, requestId) => {
    await addUser(db, asMember(actor), input, requestId);
    return redirectWith(paths.users, success('User added successfully'));
  });
});

export default function AddUser() {
  const { manages, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<AddUserFields>({
    id: 'user',
    lastResult: reply?.result,
    defaultValue: { role: 'student' },
  });
  return (
    <Screen title="Add User" back lead={<ErrorSummary form={form} />} toast={useToast(reply)} width="form">
      {!manages && <Notice tone="info">Only administrators can add new users.</Notice>}
      {manages && (
        <Card>
          <Form method="post" id={form.id} noValidate>
            <RequestId value={requestId} />
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
              hint="At least 6 characters"
              type="password"
              autoComplete="new-password"
              required
            />
            <SelectField field={fields.role} label="Role" options={ROLE_CHOICES} required />
            <Actions>
              <SubmitButton pending="Adding...">Add User</SubmitButton>
              <ButtonLink to={paths.users}>Cancel</ButtonLink>
            </Actions>
          </Form>
        </Card>
      )}
    </Screen>
  );
}
