import { type ComponentProps, useState } from 'react';
import { MS_PER_HOUR } from '#app/limits.ts';
import { CheckInForm } from '../flight-log.$id.post-check/check-in-form.tsx';
import type { FleetAircraft } from './check-out-form.tsx';
import type { UnsentCheckOut } from './use-unsent-check-out.ts';

interface UnsentCheckInProps extends Pick<
  ComponentProps<typeof CheckInForm>,
  'instructors' | 'groundSchoolTimes' | 'requestId' | 'toast'
> {
  fleet: FleetAircraft[];
  checkOut: UnsentCheckOut;
}

/** Checks in a flight without a number: the service worker puts it in once the check-out has been sent. */
export function UnsentCheckIn({ fleet, checkOut, ...page }: UnsentCheckInProps) {
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
