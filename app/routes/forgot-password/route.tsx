import { newFormRequestId, publicFormAction, publicLoader } from '#app/server/screen.server.ts';
import { useActionData, useLoaderData } from '@remix-run/react';
import { FormScreen } from '#app/ui/page/form-screen.tsx';
import { TextField } from '#app/ui/forms/fields.tsx';
import { useForm } from '#app/ui/forms/form.tsx';
import { createTitleMeta } from '#app/ui/page/screen.tsx';
import { db } from '#app/server/db.server.ts';
import { requestPasswordLink } from '#app/domain/people/reset-password.server.ts';
import { type ForgottenPasswordInput, forgottenPasswordSchema } from '#app/domain/people/schema.server.ts';
import { env } from '#app/env.server.ts';
import { clientNetwork } from '#app/server/client-address.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { paths } from '#app/paths.ts';

const NO_MAIL_SERVER = 'No mail server is set here. An administrator of your school can give you a link.';

export { clientAction } from '#app/ui/forms/form.tsx';

export const meta = createTitleMeta('Forgot Password');

export const loader = publicLoader(async () => ({
  requestId: newFormRequestId(),
  hasMailServer: env.SMTP_URL !== undefined,
}));

export const action = publicFormAction({
  schema: forgottenPasswordSchema,
  failed: 'Failed to ask for a new password',
  run: async ({ request, input }) => {
    await requestPasswordLink(db, input.username, clientNetwork(request));
    return redirectWithToast(paths.login, requestedToast());
  },
});

function requestedToast() {
  if (env.SMTP_URL === undefined) return successToast('Link requested', NO_MAIL_SERVER);
  const text = 'If there is such a user, a link to choose a new password is on its way to their email address.';
  return successToast('Check your mail', text);
}

export default function ForgotPassword() {
  const { requestId, hasMailServer } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<ForgottenPasswordInput>({ id: 'forgot-password', lastResult: reply?.result });
  return (
    <FormScreen
      title="Forgot Password"
      subtitle={
        hasMailServer ? 'Enter your username, and we mail you a link to choose a new password.' : NO_MAIL_SERVER
      }
      showBackLink={false}
      form={form}
      reply={reply}
      requestId={requestId}
      submit={{ label: 'Send Link', pending: 'Sending...' }}
      cancelTo={paths.login}
      below={
        hasMailServer && (
          <p className="subtitle">
            No mail after a few minutes? An administrator of your school can send you a link, too.
          </p>
        )
      }
    >
      <TextField field={fields.username} label="Username" autoComplete="username" autoCapitalize="none" required />
    </FormScreen>
  );
}
