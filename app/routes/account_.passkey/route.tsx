import { useActionData, useLoaderData } from '@remix-run/react';
import { data } from '@remix-run/node';
import { authedFormAction, authedLoader } from '#app/server/screen.server.ts';
import { ErrorSummary, useForm } from '#app/ui/forms/form.tsx';
import { Screen, createTitleMeta, useToast } from '#app/ui/page/screen.tsx';
import { type AddPasskeyInput, addPasskeySchema } from '#app/domain/people/passkeys/schema.server.ts';
import { findSecondFactor } from '#app/domain/people/second-factor/second-factors.server.ts';
import { db } from '#app/server/db.server.ts';
import { deviceName } from '#app/server/session/known-device.server.ts';
import type { Actor } from '#app/domain/actor.ts';
import { addPasskey } from '#app/domain/people/passkeys/change-passkeys.server.ts';
import {
  consumeChallenge,
  createChallenge,
  creationOptions,
  verifyNewPasskey,
} from '#app/domain/people/passkeys/verify-passkey.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { paths } from '#app/paths.ts';
import { verifyPasswordAndCodeOf } from '#app/server/session/authenticator.server.ts';
import {
  serializeExpiredChallenge,
  serializeChallenge,
  requireChallenge,
} from '#app/server/session/passkey-sign-in.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { NewPasskeyForm } from './new-passkey.tsx';

export { clientAction } from '#app/ui/forms/form.tsx';

export const meta = createTitleMeta('Add a Passkey');

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

type Input<Intent> = Extract<AddPasskeyInput, { intent: Intent }>;

async function askForNewPasskey(request: Request, actor: Actor, { name, currentPassword, code }: Input<'ask'>) {
  const once = { key: undefined, operation: 'ask for a passkey' };
  const { verified } = await verifyPasswordAndCodeOf(request, actor, { currentPassword, code }, once);
  if (!verified) throw new AppError('unauthorized', texts.unauthorized);
  const challenge = createChallenge();
  const options = await creationOptions(db, actor, challenge);
  const cookie = await serializeChallenge({ for: 'add', challenge, name, ...verified });
  return data({ options, result: null, toast: null, requestId: null }, { headers: { 'set-cookie': cookie } });
}

async function addNewPasskey(request: Request, actor: Actor, { response }: Input<'add'>) {
  const { challenge, name, userId, passwordGeneration } = await requireChallenge(request, 'add');
  await consumeChallenge(db, challenge);
  const passkey = await verifyNewPasskey(response, challenge);
  await addPasskey(db, actor, { name, passkey, verified: { userId, passwordGeneration } });
  return redirectWithToast(paths.account, successToast('Passkey added'), [await serializeExpiredChallenge()]);
}
