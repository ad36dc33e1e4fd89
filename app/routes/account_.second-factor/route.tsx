import { authedFormAction, authedLoader } from '#app/server/screen.server.ts';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ErrorSummary, useForm } from '#app/ui/forms/form.tsx';
import { ButtonLink, Notice } from '#app/ui/elements.tsx';
import { Screen, createTitleMeta, useToast } from '#app/ui/page/screen.tsx';
import { ChangeForm, RecoveryCodes, SetupForm } from './forms.tsx';
import { changeSecondFactor, secondFactorSetup } from './second-factor.server.ts';
import { db } from '#app/server/db.server.ts';
import { formatDate } from '#app/domain/format.server.ts';
import { type OwnProofInput, changeSecondFactorSchema } from '#app/domain/people/schema.server.ts';
import { findOrCreateSetupSecret } from '#app/domain/people/second-factor/factor-keys.server.ts';
import { findSecondFactor } from '#app/domain/people/second-factor/second-factors.server.ts';
import { texts } from '#app/domain/texts.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/form.tsx';

export const meta = createTitleMeta('Second Factor');

const OWN = { can: 'anyRole', school: 'optional', withoutSecondFactor: true } as const;

export const loader = authedLoader({
  ...OWN,
  load: async ({ actor }) => {
    const factor = await findSecondFactor(db, actor.id);
    const { username, timeZone } = actor;
    const isNeeded = actor.mustAddSecondFactor === true;
    if (!factor) {
      const secret = await findOrCreateSetupSecret(db, actor);
      return { username, isNeeded, factor: null, setup: secret ? secondFactorSetup(username, secret) : null };
    }
    const { since, unusedRecoveryCodes } = factor;
    return { username, isNeeded, factor: { since: formatDate(since, timeZone), unusedRecoveryCodes }, setup: null };
  },
});

export const action = authedFormAction({
  parksForms: false,
  ...OWN,
  schema: changeSecondFactorSchema,
  failed: 'Failed to save the second factor',
  hiddenFields: ['currentPassword', 'code'],
  run: ({ request, actor, input }) => changeSecondFactor(request, actor, input),
});

export default function SecondFactor() {
  const { username, isNeeded, factor, setup } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const [form, fields] = useForm<OwnProofInput>({ id: 'second-factor', lastResult: reply?.result });
  const recoveryCodes = reply && 'recoveryCodes' in reply ? reply.recoveryCodes : null;
  return (
    <Screen
      title="Second Factor"
      subtitle="A code from an app, asked for after your password."
      showBackLink
      beforeTitle={<ErrorSummary form={form} />}
      toast={useToast(reply)}
      width="form"
    >
      {isNeeded && (
        <Notice tone="caution" action={<ButtonLink to={paths.addPasskey}>Add a Passkey Instead</ButtonLink>}>
          {texts.secondFactorNeeded}
        </Notice>
      )}
      {recoveryCodes && <RecoveryCodes codes={recoveryCodes} />}
      {factor ? (
        <ChangeForm form={form} fields={fields} username={username} factor={factor} />
      ) : (
        <SetupForm form={form} fields={fields} username={username} setup={setup} />
      )}
    </Screen>
  );
}
