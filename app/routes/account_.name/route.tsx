import { useActionData, useLoaderData } from '@remix-run/react';
import { changeOwnName } from '#app/domain/people/own-account.server.ts';
import { findAccount } from '#app/domain/people/queries.server.ts';
import { type ChangeOwnNameInput, changeOwnNameSchema } from '#app/domain/people/schema.server.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { authedFormAction, authedLoader, newFormRequestId } from '#app/server/screen.server.ts';
import { TextField } from '#app/ui/forms/fields.tsx';
import { useForm } from '#app/ui/forms/form.tsx';
import { createTitleMeta } from '#app/ui/page/screen.tsx';
import { FormScreen } from '#app/ui/page/form-screen.tsx';

export { clientAction } from '#app/ui/forms/form.tsx';

export const meta = createTitleMeta('Change Name');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: async ({ actor }) => ({ name: (await findAccount(db, actor.id))?.name ?? '', requestId: newFormRequestId() }),
});

export const action = authedFormAction({
  can: 'anyRole',
  school: 'optional',
  schema: changeOwnNameSchema,
  failed: 'Failed to save the name',
  run: async ({ actor, input, requestId }) => {
    await changeOwnName(db, actor, input, requestId);
    return redirectWithToast(paths.account, successToast('Name changed'));
  },
});

export default function ChangeName() {
  const { name, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const lastResult = reply?.result;
  const [form, fields] = useForm<ChangeOwnNameInput>({ id: 'change-name', lastResult, defaultValue: { name } });
  return (
    <FormScreen
      title="Change Name"
      subtitle="It stands beside your username. You sign in with the username."
      form={form}
      reply={reply}
      requestId={requestId}
      submit={{ label: 'Save Name', pending: 'Saving...' }}
      cancelTo={paths.account}
    >
      <TextField field={fields.name} label="Name (Optional)" autoComplete="name" />
    </FormScreen>
  );
}
