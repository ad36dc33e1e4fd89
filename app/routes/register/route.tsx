import { newFormRequestId, publicFormAction, publicLoader } from '#app/server/screen.server.ts';
import type { HeadersFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { RoleBadge } from '#app/features/people/role-badge.tsx';
import { DescriptionList } from '#app/ui/elements.tsx';
import { HiddenField, TextField } from '#app/ui/forms/fields.tsx';
import { NewPasswordFields } from '#app/features/people/new-password-fields.tsx';
import { OWN_LOGOUT } from '#app/ui/page/app-shell.tsx';
import { FormScreen } from '#app/ui/page/form-screen.tsx';
import { AlreadySignedIn } from '#app/features/people/already-signed-in.tsx';
import { useForm } from '#app/ui/forms/form.tsx';
import { createTitleMeta, useToast } from '#app/ui/page/screen.tsx';
import { type RegistrationFormInput, registrationFormSchema } from '#app/domain/people/schema.server.ts';
import { acceptInvitation } from '#app/domain/invitations/accept-invitation.server.ts';
import { findFormerUsernameByToken, findInvitationByToken } from '#app/domain/invitations/queries.server.ts';
import { texts } from '#app/domain/texts.ts';
import { serverOnlyPaths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import {
  dataWithOriginReferrer,
  dataWithoutReferrer,
  redirectForInvalidLink,
  requireLinkToken,
  redirectOnInvalidLinkToken,
} from '#app/server/session/token-links.server.ts';

export { clientAction } from '#app/ui/forms/form.tsx';

const TITLE = 'Complete Your Registration';

export const meta = createTitleMeta(TITLE);
export const handle = OWN_LOGOUT;

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const loader = publicLoader(async ({ actor, url }) => {
  const token = requireLinkToken(url.searchParams.get('token'));
  const invitation = await findInvitationByToken(db, token);
  if (!invitation) throw await redirectForInvalidLink(texts.invitationInvalid);
  if (actor) return dataWithOriginReferrer({ signedInAs: actor.username });
  const username = await findFormerUsernameByToken(db, token);
  return dataWithoutReferrer({ signedInAs: null, invitation, username, token, requestId: newFormRequestId() });
});

export const action = publicFormAction({
  usesLinkToken: true,
  schema: registrationFormSchema,
  failed: 'Registration failed',
  hiddenFields: ['password', 'confirmPassword'],
  precheck: async ({ form }) => requireLinkToken(form.get('token')),
  run: ({ form, input, requestId }) =>
    redirectOnInvalidLinkToken(async () => {
      await acceptInvitation(db, requireLinkToken(form.get('token')), input, requestId);
      const toast = successToast('Success', 'Registration successful! You can now log in.');
      return redirectWithToast(serverOnlyPaths.auth, { ...toast, username: input.username });
    }),
});

export default function Register() {
  const data = useLoaderData<typeof loader>();
  const toast = useToast(useActionData<typeof action>());
  if (data.signedInAs === null) return <Registration {...data} />;
  return <AlreadySignedIn title={TITLE} username={data.signedInAs} toast={toast} />;
}

function Registration({
  invitation,
  username,
  token,
  requestId,
}: {
  invitation: NonNullable<Awaited<ReturnType<typeof findInvitationByToken>>>;
  username?: string | undefined;
  token: string;
  requestId: string;
}) {
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<RegistrationFormInput>({
    id: 'registration',
    lastResult: reply?.result,
    defaultValue: { username },
  });
  return (
    <FormScreen
      title={TITLE}
      subtitle={`Welcome to ${invitation.flightSchoolName}! Please complete your registration below.`}
      showBackLink={false}
      form={form}
      reply={reply}
      requestId={requestId}
      above={
        <DescriptionList
          items={[
            { term: 'Name', detail: invitation.name },
            { term: 'Role', detail: <RoleBadge role={invitation.role} /> },
            { term: 'Email', detail: <span className="address">{invitation.email}</span> },
          ]}
        />
      }
      submit={{ label: 'Complete Registration', pending: 'Creating Account...' }}
    >
      <HiddenField name="token" value={token} />
      <TextField
        field={fields.username}
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <NewPasswordFields password={fields.password} confirmPassword={fields.confirmPassword} />
    </FormScreen>
  );
}
