import { authedFormAction, authedLoader, newFormRequestId } from '#app/server/screen.server.ts';
import { useActionData, useLoaderData } from '@remix-run/react';
import { UsernameForPasswordManagers } from '#app/features/people/username-for-password-managers.tsx';
import { FormScreen } from '#app/ui/page/form-screen.tsx';
import { TextField } from '#app/ui/forms/fields.tsx';
import { CodeField } from '#app/features/people/code-field.tsx';
import { CurrentPasswordField } from '#app/features/people/current-password-field.tsx';
import { useForm } from '#app/ui/forms/form.tsx';
import { createTitleMeta } from '#app/ui/page/screen.tsx';
import { db } from '#app/server/db.server.ts';
import { CHANGE_OWN_EMAIL_OPERATION, changeOwnEmail } from '#app/domain/people/own-account.server.ts';
import { type ChangeEmailInput, changeEmailSchema } from '#app/domain/people/schema.server.ts';
import { findSecondFactor } from '#app/domain/people/second-factor/second-factors.server.ts';
import { verifyPasswordAndCodeOf } from '#app/server/session/authenticator.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/form.tsx';

export const meta = createTitleMeta('Change Email');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: async ({ actor: { id, username, email } }) => {
    const hasSecondFactor = (await findSecondFactor(db, id)) !== undefined;
    return { username, email, hasSecondFactor, requestId: newFormRequestId() };
  },
});

export const action = authedFormAction({
  can: 'anyRole',
  school: 'optional',
  schema: changeEmailSchema,
  failed: 'Failed to save the email',
  hiddenFields: ['currentPassword', 'code'],
  run: async ({ request, actor, input, requestId }) => {
    const once = { key: requestId, operation: CHANGE_OWN_EMAIL_OPERATION };
    const { verified, actor: proved } = await verifyPasswordAndCodeOf(request, actor, input, once);
    await changeOwnEmail(db, proved, { email: input.email, verified }, requestId);
    return redirectWithToast(paths.account, successToast('Email changed'));
  },
});

export default function ChangeEmail() {
  const { username, email, hasSecondFactor, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const lastResult = reply?.result;
  const [form, fields] = useForm<ChangeEmailInput>({ id: 'change-email', lastResult, defaultValue: { email } });
  return (
    <FormScreen
      title="Change Email"
      subtitle="Links for a new password are sent to this address."
      form={form}
      reply={reply}
      requestId={requestId}
      submit={{ label: 'Save Email', pending: 'Saving...' }}
      cancelTo={paths.account}
    >
      <UsernameForPasswordManagers username={username} />
      <TextField field={fields.email} label="Email" type="email" autoComplete="email" required />
      <CurrentPasswordField field={fields.currentPassword} />
      {hasSecondFactor && <CodeField field={fields.code} />}
    </FormScreen>
  );
}
