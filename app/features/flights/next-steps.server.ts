import type { Actor } from '#app/domain/actor.ts';
import { can } from '#app/domain/permissions.ts';
import { texts } from '#app/domain/texts.ts';
import { paths } from '#app/paths.ts';

export interface NextStepView {
  text: string;
  to: string | null;
  label: string;
}

export function nextStepToCheckIn(flightId: number): NextStepView {
  return { text: texts.activeFlight, to: paths.checkIn(flightId), label: 'Complete Post-Flight Check' };
}

export function nextStepToAddAircraft(reader: Actor): NextStepView {
  const whoAdds = whoAddsAircraft(reader);
  const text = whoAdds === null ? 'No aircraft yet.' : `No aircraft yet. ${whoAdds}`;
  return { text, to: whoAdds === null ? paths.addAircraft : null, label: 'Add New Aircraft' };
}

/** Names who adds aircraft; null to a reader who does. */
export function whoAddsAircraft({ role }: Actor): string | null {
  return can(role, 'manage aircraft') ? null : 'An administrator of your school adds aircraft.';
}
