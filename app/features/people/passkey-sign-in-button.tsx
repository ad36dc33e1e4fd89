import { useEffect, useState } from 'react';
import { loadIsland } from '#app/ui/load-island.ts';
import { supportsPasskeys } from './passkey-support.ts';

/** Loads after the page, if the browser has passkeys; the password works without it. */
export function PasskeySignInButton() {
  const [island, setIsland] = useState<typeof import('#app/islands/passkeys/passkey-sign-in.tsx')>();
  useEffect(() => {
    if (supportsPasskeys()) void loadIsland(() => import('#app/islands/passkeys/passkey-sign-in.tsx')).then(setIsland);
  }, []);
  return island ? <island.PasskeySignIn /> : null;
}
