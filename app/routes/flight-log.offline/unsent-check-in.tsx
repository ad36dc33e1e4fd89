import { type ComponentProps, useEffect, useState } from 'react';
import { MS_PER_HOUR } from '#app/limits.ts';
import { loadIsland } from '#app/ui/load-island.ts';
import { serviceWorkers } from '#app/ui/service-workers.ts';
import { CheckInForm } from '../flight-log.$id.post-check/check-in-form.tsx';
import type { FleetAircraft } from './check-out-form.tsx';

interface UnsentCheckOut {
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
      const start = { hobbs: text('startHobbsTime'), tachometer: text('startTachTime') };
      setCheckOut({ aircraftId: Number(text('aircraftId')), typedAt: last.typedAt, start });
    });
  }, []);
  return checkOut;
}

type KeptPage = Pick<ComponentProps<typeof CheckInForm>, 'instructors' | 'groundSchoolTimes' | 'requestId' | 'toast'>;

/** Checks in a flight without a number: the service worker puts it in once the check-out has been sent. */
export function CheckInOfUnsentFlight({
  fleet,
  checkOut,
  ...page
}: KeptPage & { fleet: FleetAircraft[]; checkOut: UnsentCheckOut }) {
  const [hoursOut] = useState(() => (Date.now() - checkOut.typedAt) / MS_PER_HOUR);
  const aircraft = fleet.find(({ id }) => id === checkOut.aircraftId);
  if (!aircraft) return null;
  const { hobbs: startHobbsTime, tachometer: startTachTime } = checkOut.start;
  return (
    <CheckInForm
      {...page}
      flight={{ id: 0, aircraft, startHobbsTime, startTachTime, checkedOutAt: '', departedAt: '' }}
      context={{ start: checkOut.start, hoursOut, ratio: null, photos: { hobbs: null, tachometer: null } }}
    />
  );
}
