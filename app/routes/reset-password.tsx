import type { HeadersFunction } from '@remix-run/node';
import { Form, useActionData, useLoaderData } from '@remix-run/react';
import { Card } from '../components/card.tsx';
import { ErrorSummary } from '../components/error-summary.tsx';
import { HiddenField, RequestId } from '../components/hidden-field.tsx';
import { NewPassword } from '../components/new-password.tsx';
import { Screen } from '../components/screen.tsx';
import { SignedInAlready } from '../components/signed-in-already.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { useForm } from '../components/use-form.ts';
import { titled, useToast } from '../components/use-root.ts';
import { db } from '../db.server.ts';
import { type NewPasswordForm, newPasswordForm } from '../domain/people/fields.server.ts';
import { findPasswordLink } from '../domain/people/password-links.server.ts';
import { setPassword } from '../domain/people/set-password.server.ts';
import { texts } from '../domain/texts.ts';
import { redirectWith, success } from '../http/flash.server.ts';
import { newRequestId, settle } from '../http/forms.server.ts';
import { anyone, anyonePost } from '../http/screen.server.ts';
import { actorOf } from '../http/session.server.ts';
import { linkRefused, tokenFrom, usingToken, withoutReferrer, withOriginOnly } from '../http/token-links.server.ts';
import { paths } from '../paths.ts';

export { clientAction } from '../components/keep-form.ts';

const TITLE = 'Choose a New Password';

export const meta = titled(TITLE);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const loader = anyone(async ({ request, url }) => {
  const token = tokenFrom(url.searchParams.get('token'));
  const link = await findPasswordLink(db, token);
  if (!link) throw await linkRefused(texts.passwordLinkInvalid);
  const actor = await actorOf(db, request);
  if (actor) return withOriginOnly({ signedInAs: actor.username });
  return withoutReferrer({ signedInAs: null, username: link.username, token, requestId: newRequestId() });
});

export const action = anyonePost(
  async ({ form }) => {
    const token = tokenFrom(form.get('token'));
    const settling = { failed: 'Failed to save the password', hide: ['password', 'confirmPassword'] };
    return settle(form, newPasswordForm, settling, ({ password }, requestId) =>
      usingToken(async () => {
        await setPassword(db, token, password, requestId);
        return redirectWith(paths.auth, success('Success', 'Password saved! You can now log in.'));
      }),
    );
  },
  { bearsToken: true },
);

export default function ResetPassword() {
  const shown = useLoaderData<typeof loader>();
  const toast = useToast(useActionData<typeof action>());
  if (shown.signedInAs === null) return <NewPasswordScreen {...shown} />;
  return <SignedInAlready title={TITLE} username={shown.signedInAs} toast={toast} />;
}

function NewPasswordScreen({ username, token, requestId }: { username: string; token: string; requestId: string }) {
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<NewPasswordForm>({ id: 'new-password', lastResult: reply?.result });
  return (
    <Screen
      title={TITLE}
      subtitle={`For ${username}. You will be signed out wherever you are signed in.`}
      lead={<ErrorSummary form={form} />}
      toast={useToast(reply)}
      width="form"
    >
      <Card>
        <Form method="post" id={form.id} noValidate>
          <HiddenField name="token" value={token} />
          <RequestId value={requestId} />
          {/* Tells a password manager whose password it is to save. */}
          <span className="visually-hidden" aria-hidden="true">
            <input type="text" autoComplete="username" value={username} readOnly tabIndex={-1} />
          </span>
          <NewPassword password={fields.password} confirmPassword={fields.confirmPassword} />
          <SubmitButton pending="Saving...">Save Password</SubmitButton>
        </Form>
      </Card>
    </Screen>
  );
}
