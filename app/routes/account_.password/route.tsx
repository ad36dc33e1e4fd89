import { authedFormAction, authedLoader, newFormRequestId } from '#app/server/screen.server.ts';
import { useActionData, useLoaderData } from '@remix-run/react';
import { NewPasswordFields } from '#app/features/people/new-password-fields.tsx';
import { UsernameForPasswordManagers } from '#app/features/people/username-for-password-managers.tsx';
import { FormScreen } from '#app/ui/page/form-screen.tsx';
import { CurrentPasswordField } from '#app/features/people/current-password-field.tsx';
import { useForm } from '#app/ui/forms/form.tsx';
import { createTitleMeta } from '#app/ui/page/screen.tsx';
import { db } from '#app/server/db.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { CHANGE_OWN_PASSWORD_OPERATION, changeOwnPassword } from '#app/domain/people/own-account.server.ts';
import { type ChangePasswordFormInput, changePasswordFormSchema } from '#app/domain/people/schema.server.ts';
import { texts } from '#app/domain/texts.ts';
import { verifyPasswordAndRenewSession } from '#app/server/session/authenticator.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/form.tsx';

export const meta = createTitleMeta('Change Password');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: async ({ actor }) => ({ username: actor.username, requestId: newFormRequestId() }),
});

export const action = authedFormAction({
  can: 'anyRole',
  school: 'optional',
  schema: changePasswordFormSchema,
  failed: 'Failed to save the password',
  hiddenFields: ['currentPassword', 'password', 'confirmPassword'],
  run: async ({ request, actor, input, requestId }) => {
    const once = { key: requestId, operation: CHANGE_OWN_PASSWORD_OPERATION };
    const { verified, actor: proved } = await verifyPasswordAndRenewSession(request, actor, input, once);
    if (verified && input.password === input.currentPassword) {
      throw new AppError('invalid', texts.passwordSame).onField('password');
    }
    await changeOwnPassword(db, proved, { password: input.password, verified }, requestId);
    const toast = successToast('Password changed', 'You were signed out everywhere else.');
    return redirectWithToast(paths.account, toast);
  },
});

export default function ChangePassword() {
  const { username, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<ChangePasswordFormInput>({ id: 'change-password', lastResult: reply?.result });
  return (
    <FormScreen
      title="Change Password"
      subtitle="You will be signed out everywhere but here."
      form={form}
      reply={reply}
      requestId={requestId}
      submit={{ label: 'Save Password', pending: 'Saving...' }}
      cancelTo={paths.account}
    >
      <UsernameForPasswordManagers username={username} />
      <CurrentPasswordField field={fields.currentPassword} />
      <NewPasswordFields label="New Password" password={fields.password} confirmPassword={fields.confirmPassword} />
    </FormScreen>
  );
}
