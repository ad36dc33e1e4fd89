import { authedLoader } from '#app/server/screen-loader.server.ts';
import { authedFormAction } from '#app/server/screen-action.server.ts';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ErrorSummary } from '#app/ui/forms/error-summary.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import { useForm } from '#app/ui/hooks/use-form.ts';
import { pageTitle, useToast } from '#app/ui/hooks/use-root-data.ts';
import { addNewPasskey, askForNewPasskey } from './add-passkey.server.ts';
import { NewPasskeyForm } from './new-passkey.tsx';
import { addPasskeySchema } from '#app/domain/people/passkeys/schema.server.ts';
import { findSecondFactor } from '#app/domain/people/second-factor/second-factors.server.ts';
import { db } from '#app/server/db.server.ts';
import { deviceName } from '#app/server/session/device-name.server.ts';

export { clientAction } from '#app/ui/forms/keep-form-on-network-error.ts';

export const meta = pageTitle('Add a Passkey');

/** A user who must add a second factor may add a passkey as one. */
const OWN = { can: 'anyRole', school: 'optional', withoutSecondFactor: true } as const;

export const loader = authedLoader({
  ...OWN,
  load: async ({ request, actor: { id, username } }) => {
    const hasSecondFactor = (await findSecondFactor(db, id)) !== undefined;
    return { username, hasSecondFactor, device: deviceName(request) };
  },
});

export const action = authedFormAction({
  ...OWN,
  schema: addPasskeySchema,
  failed: 'Failed to add the passkey',
  hiddenFields: ['currentPassword', 'code', 'response'],
  run: async ({ request, actor, input }) =>
    input.intent === 'ask' ? askForNewPasskey(request, actor, input) : addNewPasskey(request, actor, input),
});

export default function AddPasskey() {
  const { username, hasSecondFactor, device } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<{ name: string; currentPassword: string; code: string }>({
    id: 'passkey',
    lastResult: reply?.result,
    defaultValue: { name: device },
  });
  const options = reply && 'options' in reply ? reply.options : undefined;
  return (
    <Screen
      title="Add a Passkey"
      subtitle="Signs you in by fingerprint, face or device PIN, without password and code."
      showBackLink
      beforeTitle={<ErrorSummary form={form} />}
      toast={useToast(reply)}
      width="form"
    >
      <NewPasskeyForm
        form={form}
        fields={fields}
        username={username}
        hasSecondFactor={hasSecondFactor}
        options={options}
      />
    </Screen>
  );
}
