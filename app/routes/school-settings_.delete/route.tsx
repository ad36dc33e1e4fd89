import { useActionData, useLoaderData } from '@remix-run/react';
import { ButtonLink, Card, Actions, Notice } from '#app/ui/elements.tsx';
import { HiddenField, TextField } from '#app/ui/forms/fields.tsx';
import { ActForm, SubmitButton, useForm } from '#app/ui/forms/form.tsx';
import { createTitleMeta, useToast, Screen } from '#app/ui/page/screen.tsx';
import { FormScreen } from '#app/ui/page/form-screen.tsx';
import { CurrentPasswordField } from '#app/features/people/current-password-field.tsx';
import { UsernameForPasswordManagers } from '#app/features/people/username-for-password-managers.tsx';
import { formatDateTime } from '#app/domain/format.server.ts';
import { requireSchoolName } from '#app/domain/school/queries.server.ts';
import {
  askForSchoolRemoval,
  assertExported,
  callOffSchoolRemoval,
  findRemovalState,
  removalFormSchema,
} from '#app/domain/school/school-removal.server.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { authedFormAction, authedLoader, newFormRequestId } from '#app/server/screen.server.ts';
import { verifyPasswordAndRenewSession } from '#app/server/session/authenticator.server.ts';
import { SCHOOL_REMOVAL_DAYS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/form.tsx';

export { handle } from '#app/ui/page/school-navigation.tsx';

export const meta = createTitleMeta('Delete This School');

export const loader = authedLoader({
  can: 'manage school',
  load: async ({ actor }) => {
    const { dueAt, isExported } = await findRemovalState(db, actor.schoolId);
    return {
      school: await requireSchoolName(db, actor.schoolId),
      username: actor.username,
      dueAt: dueAt && formatDateTime(dueAt, actor.timeZone).text,
      isExported,
      requestId: newFormRequestId(),
    };
  },
});

export const action = authedFormAction({
  can: 'manage school',
  schema: removalFormSchema,
  failed: 'Failed to change whether the school is deleted',
  hiddenFields: ['currentPassword'],
  run: async ({ request, actor, input, requestId }) => {
    if (input.intent === 'call-off') {
      await callOffSchoolRemoval(db, actor, requestId);
      return redirectWithToast(paths.schoolSettings, successToast('The school is kept'));
    }
    await assertExported(db, actor);
    const once = { key: requestId, operation: 'ask for removal' };
    const { actor: proved } = await verifyPasswordAndRenewSession(request, actor, input, once);
    await askForSchoolRemoval(db, proved, input, requestId);
    const toast = successToast(
      'The school will be deleted',
      `In ${SCHOOL_REMOVAL_DAYS} days, unless it is called off.`,
    );
    return redirectWithToast(paths.removeSchool, toast);
  },
});

export default function DeleteSchool() {
  const data = useLoaderData<typeof loader>();
  if (data.dueAt !== null) return <CallOff dueAt={data.dueAt} requestId={data.requestId} />;
  return data.isExported ? <Ask {...data} /> : <ExportFirst />;
}

function CallOff({ dueAt, requestId }: { dueAt: string; requestId: string }) {
  const reply = useActionData<typeof action>();
  return (
    <Screen title="Delete This School" showBackLink toast={useToast(reply)} width="form">
      <Card>
        <p>On {dueAt} everything of this school is deleted. Any administrator can call that off until then.</p>
        <ActForm requestId={requestId}>
          <HiddenField name="intent" value="call-off" />
          <SubmitButton pendingLabel="Keeping...">Keep the School</SubmitButton>
        </ActForm>
      </Card>
    </Screen>
  );
}

function ExportFirst() {
  return (
    <Screen title="Delete This School" showBackLink toast={useToast(undefined)} width="form">
      <Notice tone="info">Please export everything first. The school can be deleted within a day after that.</Notice>
      <Actions>
        <ButtonLink to={paths.exportSchool} variant="primary">
          Export Everything
        </ButtonLink>
      </Actions>
    </Screen>
  );
}

interface AskProps {
  school: string;
  username: string;
  requestId: string;
}

function Ask({ school, username, requestId }: AskProps) {
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<{ schoolName: string; currentPassword: string }>({
    id: 'delete-school',
    lastResult: reply?.result,
  });
  return (
    <FormScreen
      title="Delete This School"
      subtitle={`In ${SCHOOL_REMOVAL_DAYS} days people, aircraft, flights, photos and events are deleted, for good.`}
      notice={
        <Notice tone="danger">
          All administrators get a mail, and any of them can call it off until then. Afterwards nobody of the school can
          sign in, and only the export brings it back.
        </Notice>
      }
      form={form}
      reply={reply}
      requestId={requestId}
      submit={{ label: 'Delete This School', pending: 'Deleting...', variant: 'danger' }}
      cancelTo={paths.schoolSettings}
    >
      <HiddenField name="intent" value="ask" />
      <TextField field={fields.schoolName} label="School Name" hint={`Type: ${school}`} autoComplete="off" required />
      <UsernameForPasswordManagers username={username} />
      <CurrentPasswordField field={fields.currentPassword} />
    </FormScreen>
  );
}
