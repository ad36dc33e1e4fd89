import type { HeadersFunction } from '@remix-run/node';
import { Form, useActionData, useLoaderData } from '@remix-run/react';
import { Card } from '#app/ui/card.tsx';
import { ErrorSummary } from '#app/ui/forms/error-summary.tsx';
import { HiddenField, RequestId } from '#app/ui/forms/hidden-field.tsx';
import { NewPassword } from '#app/features/people/new-password-fields.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import { SignedInAlready } from '#app/features/people/already-signed-in.tsx';
import { SubmitButton } from '#app/ui/forms/submit-button.tsx';
import { useForm } from '#app/ui/hooks/use-form.ts';
import { titled, useToast } from '#app/ui/hooks/use-root-data.ts';
import { db } from '#app/server/db.server.ts';
import { type NewPasswordForm, newPasswordForm } from '#app/domain/people/schema.server.ts';
import { findPasswordLink } from '#app/domain/people/password-links.server.ts';
import { setPassword } from '#app/domain/people/set-password.server.ts';
import { texts } from '#app/domain/texts.ts';
import { redirectWith, success } from '#app/server/flash.server.ts';
import { newRequestId, settle } from '#app/server/form-action.server.ts';
import { anyone, anyonePost } from '#app/server/screen.server.ts';
import { actorOf } from '#app/server/session.server.ts';
import { linkRefused, tokenFrom, usingToken, withoutReferrer, withOriginOnly } from '#app/server/token-links.server.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/keep-form-on-network-error.ts';

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
