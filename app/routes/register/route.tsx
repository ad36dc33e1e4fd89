import type { HeadersFunction } from '@remix-run/node';
import { Form, useActionData, useLoaderData } from '@remix-run/react';
import { RoleBadge } from '#app/ui/badge.tsx';
import { Card } from '#app/ui/card.tsx';
import { DescriptionList } from '#app/ui/description-list.tsx';
import { ErrorSummary } from '#app/ui/forms/error-summary.tsx';
import { HiddenField, RequestId } from '#app/ui/forms/hidden-field.tsx';
import { NewPassword } from '#app/features/people/new-password-fields.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import { SignedInAlready } from '#app/features/people/already-signed-in.tsx';
import { SubmitButton } from '#app/ui/forms/submit-button.tsx';
import { TextField } from '#app/ui/forms/text-field.tsx';
import { useForm } from '#app/ui/hooks/use-form.ts';
import { titled, useToast } from '#app/ui/hooks/use-root-data.ts';
import { db } from '#app/server/db.server.ts';
import { findWelcome, type Welcome } from '#app/domain/invitations/queries.server.ts';
import { register } from '#app/domain/invitations/accept-invitation.server.ts';
import { type RegistrationForm, registrationForm } from '#app/domain/people/schema.server.ts';
import { texts } from '#app/domain/texts.ts';
import { redirectWith, success } from '#app/server/flash.server.ts';
import { newRequestId, settle } from '#app/server/form-action.server.ts';
import { anyone, anyonePost } from '#app/server/screen.server.ts';
import { actorOf } from '#app/server/session.server.ts';
import { linkRefused, tokenFrom, usingToken, withoutReferrer, withOriginOnly } from '#app/server/token-links.server.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/keep-form-on-network-error.ts';

const TITLE = 'Complete Your Registration';

export const meta = titled(TITLE);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const loader = anyone(async ({ request, url }) => {
  const token = tokenFrom(url.searchParams.get('token'));
  const welcome = await findWelcome(db, token);
  if (!welcome) throw await linkRefused(texts.invitationInvalid);
  const actor = await actorOf(db, request);
  if (actor) return withOriginOnly({ signedInAs: actor.username });
  return withoutReferrer({ signedInAs: null, welcome, token, requestId: newRequestId() });
});

export const action = anyonePost(
  async ({ form }) => {
    const token = tokenFrom(form.get('token'));
    const settling = { failed: 'Registration failed', hide: ['password', 'confirmPassword'] };
    return settle(form, registrationForm, settling, (input, requestId) =>
      usingToken(async () => {
        await register(db, token, input, requestId);
        return redirectWith(paths.auth, success('Success', 'Registration successful! You can now log in.'));
      }),
    );
  },
  { bearsToken: true },
);

export default function Register() {
  const shown = useLoaderData<typeof loader>();
  const toast = useToast(useActionData<typeof action>());
  if (shown.signedInAs === null) return <Registration {...shown} />;
  return <SignedInAlready title={TITLE} username={shown.signedInAs} toast={toast} />;
}

function Registration({ welcome, token, requestId }: { welcome: Welcome; token: string; requestId: string }) {
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<RegistrationForm>({ id: 'registration', lastResult: reply?.result });
  return (
    <Screen
      title={TITLE}
      subtitle={`Welcome to ${welcome.flightSchoolName}! Please complete your registration below.`}
      lead={<ErrorSummary form={form} />}
      toast={useToast(reply)}
      width="form"
    >
      <Card>
        <DescriptionList
          items={[
            { term: 'Name', detail: welcome.name },
            { term: 'Role', detail: <RoleBadge role={welcome.role} /> },
            { term: 'Email', detail: <span className="address">{welcome.email}</span> },
          ]}
        />
        <Form method="post" id={form.id} noValidate>
          <HiddenField name="token" value={token} />
          <RequestId value={requestId} />
          <TextField
            field={fields.username}
            label="Username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
          <NewPassword password={fields.password} confirmPassword={fields.confirmPassword} />
          <SubmitButton pending="Creating Account...">Complete Registration</SubmitButton>
        </Form>
      </Card>
    </Screen>
  );
}
