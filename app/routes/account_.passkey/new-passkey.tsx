import { useEffect, useState } from 'react';
import { useNavigation } from '@remix-run/react';
import { CodeField } from '#app/features/people/code-field.tsx';
import { CurrentPasswordField } from '#app/features/people/current-password-field.tsx';
import { UsernameForPasswordManagers } from '#app/features/people/username-for-password-managers.tsx';
import type { CreationOptions } from '#app/islands/passkeys/ask-passkey.ts';
import { paths } from '#app/paths.ts';
import { ButtonLink, Card, Actions, Notice } from '#app/ui/elements.tsx';
import { type FormField, HiddenField, TextField } from '#app/ui/forms/fields.tsx';
import { PostForm, SubmitButton, type FormState } from '#app/ui/forms/form.tsx';
import { supportsPasskeys } from '#app/features/people/passkey-support.ts';
import { loadIsland } from '#app/ui/load-island.ts';

interface NewPasskeyProps {
  form: FormState;
  fields: Record<'name' | 'currentPassword' | 'code', FormField>;
  username: string;
  hasSecondFactor: boolean;
  options: CreationOptions | undefined;
}

export function NewPasskeyForm({ form, fields, username, hasSecondFactor, options }: NewPasskeyProps) {
  const { isThere, problem, response } = useAuthenticator(form.id, options);
  if (!isThere) return <NoPasskeys />;
  return (
    <Card>
      <PostForm id={form.id}>
        <HiddenField name="intent" value={response === undefined ? 'ask' : 'add'} />
        {response !== undefined && <HiddenField name="response" value={response} />}
        <UsernameForPasswordManagers username={username} />
        <TextField field={fields.name} label="Name" hint="So you can tell it from your other passkeys" required />
        <CurrentPasswordField field={fields.currentPassword} />
        {hasSecondFactor && <CodeField field={fields.code} />}
        <div role="alert">{problem && <Notice tone="danger">{problem}</Notice>}</div>
        <Actions>
          <SubmitButton pendingLabel="Adding...">Add Passkey</SubmitButton>
          <ButtonLink to={paths.account}>Cancel</ButtonLink>
        </Actions>
      </PostForm>
    </Card>
  );
}

function NoPasskeys() {
  return (
    <Card>
      <p>
        Passkeys need JavaScript and a browser that has them. Everything else works without them: you sign in with your
        password.
      </p>
      <Actions>
        <ButtonLink to={paths.account}>Back to Your Account</ButtonLink>
      </Actions>
    </Card>
  );
}

interface AuthenticatorState {
  isThere: boolean;
  problem: string;
  /** What the authenticator made, until it is sent. */
  response: string | undefined;
}

/** Loads after the page, if the browser has passkeys; asks once for each options and sends the form with the answer. */
function useAuthenticator(formId: string, options: CreationOptions | undefined): AuthenticatorState {
  const [island, setIsland] = useState<typeof import('#app/islands/passkeys/ask-passkey.ts')>();
  const [problem, setProblem] = useState('');
  const [response, setResponse] = useState<string>();
  const isIdle = useNavigation().state === 'idle';

  useEffect(() => {
    if (supportsPasskeys()) void loadIsland(() => import('#app/islands/passkeys/ask-passkey.ts')).then(setIsland);
  }, []);

  useEffect(() => {
    if (!options || !island) return;
    setProblem('');
    island
      .createPasskey(options)
      .then(setResponse, (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
  }, [options, island]);

  useEffect(() => {
    // The page's data may still be on its way after the post before, which a second one would break off.
    if (response === undefined || !isIdle) return;
    const form = document.getElementById(formId);
    if (form instanceof HTMLFormElement) form.requestSubmit();
    setResponse(undefined);
  }, [response, isIdle, formId]);

  return { isThere: island !== undefined, problem, response };
}
