import { useEffect, useState } from 'react';
import { useSubmit } from '@remix-run/react';
import { supportsPasskeys } from '#app/features/people/passkey-support.ts';
import type { CreationOptions } from '#app/islands/passkeys/ask-passkey.ts';

/** Loads after the page, where the browser has passkeys; asks once for each options and posts the answer. */
export function useAuthenticator(options: CreationOptions | undefined): { isThere: boolean; problem: string } {
  const [island, setIsland] = useState<typeof import('#app/islands/passkeys/ask-passkey.ts')>();
  const [problem, setProblem] = useState('');
  const submit = useSubmit();

  useEffect(() => {
    if (supportsPasskeys()) import('#app/islands/passkeys/ask-passkey.ts').then(setIsland, () => {});
  }, []);

  useEffect(() => {
    if (!options || !island) return;
    setProblem('');
    island.createPasskey(options).then(
      (response) => submit({ intent: 'add', response }, { method: 'post' }),
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    );
    // Nothing else asks the authenticator a second time.
  }, [options?.challenge]);

  return { isThere: island !== undefined, problem };
}
