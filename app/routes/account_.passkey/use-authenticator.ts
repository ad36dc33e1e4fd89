import { useEffect, useState } from 'react';
import { useNavigation, useSubmit } from '@remix-run/react';
import { supportsPasskeys } from '#app/features/people/passkey-support.ts';
import { loadIsland } from '#app/ui/load-island.ts';
import type { CreationOptions } from '#app/islands/passkeys/ask-passkey.ts';

/** Loads after the page, if the browser has passkeys; asks once for each options and posts the answer. */
export function useAuthenticator(options: CreationOptions | undefined): { isThere: boolean; problem: string } {
  const [island, setIsland] = useState<typeof import('#app/islands/passkeys/ask-passkey.ts')>();
  const [problem, setProblem] = useState('');
  const [response, setResponse] = useState<string>();
  const submit = useSubmit();
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
    setResponse(undefined);
    submit({ intent: 'add', response }, { method: 'post' });
  }, [response, isIdle, submit]);

  return { isThere: island !== undefined, problem };
}
