import { useActionData, useLoaderData } from '@remix-run/react';
import { ButtonLink, Notice } from '#app/ui/elements.tsx';
import { useForm } from '#app/ui/forms/form.tsx';
import { createTitleMeta } from '#app/ui/page/screen.tsx';
import { FormScreen } from '#app/ui/page/form-screen.tsx';
import { CurrentPasswordField } from '#app/features/people/current-password-field.tsx';
import { UsernameForPasswordManagers } from '#app/features/people/username-for-password-managers.tsx';
import { confirmExportSchema } from '#app/domain/archive/schema.server.ts';
import { isPasswordFresh } from '#app/domain/people/sessions.server.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { authedFormAction, authedLoader, newFormRequestId } from '#app/server/screen.server.ts';
import { verifyPasswordAndRenewSession } from '#app/server/session/authenticator.server.ts';
import { PROOF_LIFE_MINUTES } from '#app/limits.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/form.tsx';

export { handle } from '#app/ui/page/school-navigation.tsx';

export const meta = createTitleMeta('Everything of This School');

export const loader = authedLoader({
  can: 'manage school',
  load: async ({ actor }) => ({
    username: actor.username,
    isReady: await isPasswordFresh(db, actor),
    requestId: newFormRequestId(),
  }),
});

export const action = authedFormAction({
  can: 'manage school',
  schema: confirmExportSchema,
  failed: 'Failed to export the school',
  hiddenFields: ['currentPassword'],
  run: async ({ request, actor, input }) => {
    await verifyPasswordAndRenewSession(request, actor, input, { key: undefined, operation: 'export' });
    return redirectWithToast(paths.exportSchool, successToast('The export is ready'));
  },
});

export default function ExportSchool() {
  const { username, isReady, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<{ currentPassword: string }>({ id: 'export-school', lastResult: reply?.result });
  return (
    <FormScreen
      title="Everything of This School"
      subtitle="One zip file: every table as CSV and as JSON lines, the photos, corrections and events."
      notice={isReady && <Download />}
      form={form}
      reply={reply}
      requestId={requestId}
      submit={{ label: isReady ? 'Confirm Again' : 'Prepare Export', pending: 'Confirming...' }}
      cancelTo={paths.schoolSettings}
    >
      <p>
        Passwords, links and what somebody has begun to type are not in it. The file README.txt in it says what each
        file is. Keep the zip as you keep your logbooks: whoever has it can read all of it.
      </p>
      <UsernameForPasswordManagers username={username} />
      <CurrentPasswordField field={fields.currentPassword} />
    </FormScreen>
  );
}

/** Links to the file, because the browser itself shows how far the download is, and whether it was cut off. */
function Download() {
  return (
    <Notice
      tone="info"
      action={
        <ButtonLink to={paths.exportFile} reloadDocument download>
          Download Everything
        </ButtonLink>
      }
    >
      Your password is confirmed for {PROOF_LIFE_MINUTES} minutes. A download that breaks off cannot be opened: start it
      again.
    </Notice>
  );
}
