import type { Member } from '#app/domain/actor.ts';
import type { Fixtures } from './fixtures.ts';

/** Of whoever enters it. */
export function pastFlights({ aircraft }: Fixtures) {
  let pilotId = 0;
  return {
    aircraftAndPilot: (owner: Member) => {
      pilotId = owner.id;
      return aircraft(owner);
    },
    pilot: () => pilotId,
  };
}

export const pastFlight = {
  ...{ departedAt: '2026-05-12T10:00', landedAt: '2026-05-12T11:00' },
  ...{ startHobbsTime: '1234.5', endHobbsTime: '1235.5', startTachTime: '987.6', endTachTime: '988.4' },
  reason: 'On paper',
};
