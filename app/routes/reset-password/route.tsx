import { newFormRequestId, publicFormAction, publicLoader } from '#app/server/screen.server.ts';
import type { HeadersFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { HiddenField } from '#app/ui/forms/fields.tsx';
import { NewPasswordFields } from '#app/features/people/new-password-fields.tsx';
import { OWN_LOGOUT } from '#app/ui/page/app-shell.tsx';
import { UsernameForPasswordManagers } from '#app/features/people/username-for-password-managers.tsx';
import { FormScreen } from '#app/ui/page/form-screen.tsx';
import { AlreadySignedIn } from '#app/features/people/already-signed-in.tsx';
import { useForm } from '#app/ui/forms/form.tsx';
import { createTitleMeta, useToast } from '#app/ui/page/screen.tsx';
import { db } from '#app/server/db.server.ts';
import { type NewPasswordFormInput, newPasswordFormSchema } from '#app/domain/people/schema.server.ts';
import { findPasswordLink } from '#app/domain/people/password-links.server.ts';
import { setPassword } from '#app/domain/people/reset-password.server.ts';
import { texts } from '#app/domain/texts.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import {
  dataWithOriginReferrer,
  dataWithoutReferrer,
  redirectForInvalidLink,
  requireLinkToken,
  redirectOnInvalidLinkToken,
} from '#app/server/session/token-links.server.ts';
import { paths, serverOnlyPaths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/form.tsx';

const TITLE = 'Choose a New Password';

export const meta = createTitleMeta(TITLE);
export const handle = OWN_LOGOUT;

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const loader = publicLoader(async ({ actor, url }) => {
  const token = requireLinkToken(url.searchParams.get('token'));
  const link = await findPasswordLink(db, token);
  if (!link) throw await redirectForInvalidLink(texts.passwordLinkInvalid, paths.forgotPassword);
  if (actor) return dataWithOriginReferrer({ signedInAs: actor.username });
  return dataWithoutReferrer({ signedInAs: null, username: link.username, token, requestId: newFormRequestId() });
});

export const action = publicFormAction({
  usesLinkToken: true,
  schema: newPasswordFormSchema,
  failed: 'Failed to save the password',
  hiddenFields: ['password', 'confirmPassword'],
  precheck: async ({ form }) => requireLinkToken(form.get('token')),
  run: ({ form, input, requestId }) =>
    redirectOnInvalidLinkToken(async () => {
      await setPassword(db, requireLinkToken(form.get('token')), input.password, requestId);
      return redirectWithToast(serverOnlyPaths.auth, successToast('Success', 'Password saved! You can now log in.'));
    }, paths.forgotPassword),
});

export default function ResetPassword() {
  const data = useLoaderData<typeof loader>();
  const toast = useToast(useActionData<typeof action>());
  if (data.signedInAs === null) return <NewPasswordForm {...data} />;
  return <AlreadySignedIn title={TITLE} username={data.signedInAs} toast={toast} />;
}

function NewPasswordForm({ username, token, requestId }: { username: string; token: string; requestId: string }) {
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<NewPasswordFormInput>({ id: 'new-password', lastResult: reply?.result });
  return (
    <FormScreen
      title={TITLE}
      subtitle={`For ${username}. You will be signed out wherever you are signed in.`}
      showBackLink={false}
      form={form}
      reply={reply}
      requestId={requestId}
      submit={{ label: 'Save Password', pending: 'Saving...' }}
    >
      <HiddenField name="token" value={token} />
      <UsernameForPasswordManagers username={username} />
      <NewPasswordFields password={fields.password} confirmPassword={fields.confirmPassword} />
    </FormScreen>
  );
}
