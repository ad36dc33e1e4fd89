import { EARLIEST_FLIGHT_YEAR } from '#app/limits.ts';
import { texts } from '../../texts.ts';
import { instantsOf } from '../../times/school-time.server.ts';
import type { PastFlightInput } from './past-flight-schema.server.ts';

export interface PastFlightTimes {
  departed: Date;
  landed: Date;
}

/** Returns the times. If a clock showed the landing's twice, it is the first one after the departure. */
export function pastFlightTimes({ departedAt, landedAt }: PastFlightInput, timeZone: string): PastFlightTimes {
  const departed = instantsOf(departedAt, timeZone)[0] ?? new Date(NaN);
  const landings = instantsOf(landedAt, timeZone);
  return { departed, landed: landings.find((landed) => landed > departed) ?? landings[0] ?? new Date(NaN) };
}

/** Returns an error beside each time that cannot be. */
export function pastTimeErrors({ departed, landed }: PastFlightTimes, now: Date): Record<string, string> {
  if (landed > now) return { landedAt: texts.pastFlightInFuture };
  if (landed <= departed) return { landedAt: texts.pastFlightTooShort };
  return departed.getUTCFullYear() < EARLIEST_FLIGHT_YEAR ? { departedAt: texts.pastFlightTooOld } : {};
}
