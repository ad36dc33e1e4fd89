import { useEffect, useState } from 'react';
import { loadIsland } from '#app/ui/load-island.ts';
import { serviceWorkers } from '#app/ui/service-workers.ts';

export interface UnsentCheckOut {
  aircraftId: number;
  typedAt: number;
  start: { hobbs: string; tachometer: string };
}

/** Returns the check-out that this device has not sent yet: the next form to fill in is its check-in. */
export function useUnsentCheckOut(): UnsentCheckOut | null {
  const [checkOut, setCheckOut] = useState<UnsentCheckOut | null>(null);
  useEffect(() => {
    if (!serviceWorkers()) return;
    void loadIsland(() => import('#app/islands/offline/use-unsent.ts')).then(async ({ findViews }) => {
      const views = await findViews().catch(() => []);
      const last = views.findLast(({ form }) => form !== null);
      if (last?.kind !== 'check-out' || last.state !== 'waiting') return;
      const text = (name: string) => String(last.form?.get(name) ?? '');
      setCheckOut({
        aircraftId: Number(text('aircraftId')),
        typedAt: last.typedAt,
        start: { hobbs: text('startHobbsTime'), tachometer: text('startTachTime') },
      });
    });
  }, []);
  return checkOut;
}
