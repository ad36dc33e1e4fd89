import { useActionData, useLoaderData } from '@remix-run/react';
import { addAccessToken } from '#app/domain/people/access-tokens/change-access-tokens.server.ts';
import { type AddAccessTokenFormInput, addAccessTokenSchema } from '#app/domain/people/access-tokens/schema.server.ts';
import { SCOPE_LABELS, TOKEN_SCOPES } from '#app/domain/people/access-tokens/scopes.ts';
import { ACCESS_TOKEN_LIVES_DAYS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { doneOnSamePage } from '#app/server/flash.server.ts';
import { authedFormAction, authedLoader, newFormRequestId } from '#app/server/screen.server.ts';
import { RadioGroup } from '#app/ui/forms/choices.tsx';
import { SelectField, TextField } from '#app/ui/forms/fields.tsx';
import { useForm } from '#app/ui/forms/form.tsx';
import { createTitleMeta, useToast, Screen } from '#app/ui/page/screen.tsx';
import { FormScreen } from '#app/ui/page/form-screen.tsx';
import { Secret, ShownOnce } from '#app/ui/page/shown-once.tsx';

export { clientAction } from '#app/ui/forms/form.tsx';

export const meta = createTitleMeta('Add an Access Token');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: async () => ({ requestId: newFormRequestId() }),
});

export const action = authedFormAction({
  can: 'anyRole',
  school: 'optional',
  schema: addAccessTokenSchema,
  failed: 'Failed to add the access token',
  run: async ({ actor, input, requestId }) => {
    const token = await addAccessToken(db, actor, input, requestId);
    return doneOnSamePage('Access token added', { token });
  },
});

const SCOPES = TOKEN_SCOPES.map((value) => ({ value, label: SCOPE_LABELS[value] }));
const LIVES = ACCESS_TOKEN_LIVES_DAYS.map((days) => ({ value: String(days), label: `${days} days` }));

export default function AddAccessToken() {
  const { requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<AddAccessTokenFormInput>({
    id: 'access-token',
    lastResult: reply?.result,
    defaultValue: { scope: 'read', days: '90' },
  });
  const toast = useToast(reply);
  if (reply && 'token' in reply)
    return (
      <Screen title="Add an Access Token" showBackLink toast={toast} width="form">
        <NewAccessToken token={reply.token} />
      </Screen>
    );
  return (
    <FormScreen
      title="Add an Access Token"
      subtitle="For a script that reads or updates your school's records. It can never do more than you can."
      form={form}
      reply={reply}
      requestId={requestId}
      submit={{ label: 'Add Access Token', pending: 'Adding...' }}
      cancelTo={paths.account}
    >
      <p>
        What a script may ask for stands at <a href={paths.api}>{paths.api}</a>.
      </p>
      <TextField field={fields.name} label="Name" hint="What it is for, such as 'Monthly bookkeeping'" required />
      <RadioGroup field={fields.scope} label="It may" options={SCOPES} />
      <SelectField field={fields.days} label="It ends after" options={LIVES} required />
    </FormScreen>
  );
}

function NewAccessToken({ token }: { token: string }) {
  return (
    <ShownOnce
      title="Your Access Token"
      warning="Copy it now; it is not shown again. Anyone who has it can do what you chose, without a password."
      kept={{ to: paths.account, label: 'I have kept it' }}
    >
      <Secret text={token} />
      <p>
        Send it as <code>Authorization: Bearer</code> with each request to the <a href={paths.api}>API</a>.
      </p>
    </ShownOnce>
  );
}
