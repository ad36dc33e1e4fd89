import { useEffect, useState } from 'react';
import { useLocation } from '@remix-run/react';
import { loadIsland } from '../load-island.ts';
import { serviceWorkers } from '../service-workers.ts';

/** Says how old a kept page is, and brings what waits to be sent once the page is idle. */
export function DeviceStatus({ owner, isSignedIn }: { owner: string | null; isSignedIn: boolean }) {
  const asOf = useAsOf();
  const [island, setIsland] = useState<typeof import('#app/islands/offline/offline.tsx')>();
  useEffect(() => {
    if (!serviceWorkers() || !import.meta.env.PROD) return undefined;
    // oxlint-disable-next-line no-restricted-imports -- loaded on its own, once the page is idle
    const load = () => void loadIsland(() => import('#app/islands/offline/offline.tsx')).then(setIsland);
    // Safari has no idle callback.
    const timer = window.setTimeout(() => (window.requestIdleCallback ?? window.setTimeout)(load), 0);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <>
      <p className="as-of" id="as-of">
        {asOf}
      </p>
      {island && <island.Offline owner={owner} isSignedIn={isSignedIn} isKept={asOf !== ''} />}
    </>
  );
}

/** Returns the age that the service worker writes into `data-as-of` of a kept page, until the next page comes. */
function useAsOf(): string {
  const { key } = useLocation();
  const [shown] = useState(() => ({
    key,
    text: typeof document === 'undefined' ? '' : (document.documentElement.dataset.asOf ?? ''),
  }));
  return key === shown.key ? shown.text : '';
}
