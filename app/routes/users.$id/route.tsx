import { useActionData, useLoaderData } from '@remix-run/react';
import { changeUser, fingerprintUser } from '#app/domain/people/change-user.server.ts';
import { findSecondFactor } from '#app/domain/people/second-factor/second-factors.server.ts';
import { requireUser } from '#app/domain/people/queries.server.ts';
import { type ChangeUserFormInput, changeUserFormSchema } from '#app/domain/people/schema.server.ts';
import { ROLE_DEFINITIONS, ROLE_OPTIONS } from '#app/domain/roles.ts';
import { texts } from '#app/domain/texts.ts';
import { RoleBadge } from '#app/features/people/role-badge.tsx';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { authedFormAction, authedLoader, newFormRequestId } from '#app/server/screen.server.ts';
import { Card, Notice } from '#app/ui/elements.tsx';
import { HiddenField, SelectField, TextField } from '#app/ui/forms/fields.tsx';
import { ActForm, SubmitButton, useForm } from '#app/ui/forms/form.tsx';
import { createTitleMeta } from '#app/ui/page/screen.tsx';
import { FormScreen } from '#app/ui/page/form-screen.tsx';

export { clientAction } from '#app/ui/forms/form.tsx';

export { GoneBoundary as ErrorBoundary } from '#app/ui/page/gone-boundary.tsx';

export const meta = createTitleMeta('User');

const guard = { can: 'manage users', ids: { id: texts.userNotFound } } as const;

export const loader = authedLoader({
  ...guard,
  load: async ({ actor, params, unsent }) => {
    const user = await requireUser(db, actor.schoolId, params.id);
    const hasLostFactor = params.id !== actor.id && (await findSecondFactor(db, params.id)) !== undefined;
    const typedOver = unsent.user?.values.seen;
    return { user, seen: fingerprintUser(user), typedOver, hasLostFactor, requestId: newFormRequestId() };
  },
});

export const action = authedFormAction({
  ...guard,
  schema: changeUserFormSchema,
  failed: 'Failed to change user',
  precheck: ({ actor, params }) => requireUser(db, actor.schoolId, params.id),
  run: async ({ actor, params, input, requestId }) => {
    const { username } = await changeUser(db, actor, params.id, input, requestId);
    return redirectWithToast(paths.users, successToast('User changed', `${username} is as you have set it.`));
  },
});

type StoredUser = ReturnType<typeof useLoaderData<typeof loader>>['user'];

export default function EditUser() {
  const { user, seen, typedOver, hasLostFactor, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const lastResult = reply?.result;
  const [form, fields] = useForm<ChangeUserFormInput>({ id: 'user', lastResult, defaultValue: user });
  return (
    <FormScreen
      title={user.username}
      subtitle="A new role counts from the next request on. Flights, drafts and the open flight stay."
      badge={<RoleBadge role={user.role} />}
      notice={reply?.status === 409 && <StoredNow {...user} />}
      form={form}
      reply={reply}
      requestId={requestId}
      submit={{ label: 'Save User', pending: 'Saving...' }}
      cancelTo={paths.users}
      after={hasLostFactor && <LostFactor user={user} requestId={requestId} />}
    >
      <HiddenField name="seen" value={(reply ? undefined : typedOver) ?? seen} />
      <TextField
        field={fields.username}
        label="Username"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        required
      />
      <TextField field={fields.name} label="Name (Optional)" hint="Shown beside the username" autoComplete="off" />
      <TextField field={fields.email} label="Email" type="email" autoComplete="off" required />
      <SelectField field={fields.role} label="Role" options={ROLE_OPTIONS} required />
    </FormScreen>
  );
}

function LostFactor({ user: { id, username }, requestId }: { user: StoredUser; requestId: string }) {
  return (
    <Card title="Second factor">
      <p>{`For a phone that is lost: ${username} then signs in with the password alone, and is told by mail.`}</p>
      <ActForm action={paths.usersAction} requestId={requestId}>
        <HiddenField name="userId" value={id} />
        <SubmitButton name="intent" value="remove-second-factor" variant="secondary">
          Remove Second Factor
        </SubmitButton>
      </ActForm>
    </Card>
  );
}

function StoredNow({ username, name, email, role }: StoredUser) {
  return (
    <Notice tone="info">{`Stored now: ${username}, ${name ?? 'no name'}, ${email}, ${ROLE_DEFINITIONS[role].label}`}</Notice>
  );
}
