import { MIN_RATIO_FLIGHT_HUNDREDTHS, MIN_RATIO_FLIGHTS } from '#app/limits.ts';
import { toHundredths } from '../reading.ts';

/** Hours that an aircraft's tach counts for one of its Hobbs meter. */
export interface UsualRatio {
  tachPerHobbs: number;
  /** Hundredths of an hour by which nine flights in ten stay off it at most. */
  spread: number;
}

export interface FlightHours {
  hobbs: string;
  tach: string;
}

/** Returns the ratio; null for too few flights to say. */
export function usualRatio(flights: FlightHours[]): UsualRatio | null {
  const hours = flights
    .map(({ hobbs, tach }) => ({ hobbs: toHundredths(hobbs), tach: toHundredths(tach) }))
    .filter(({ hobbs }) => hobbs >= MIN_RATIO_FLIGHT_HUNDREDTHS);
  if (hours.length < MIN_RATIO_FLIGHTS) return null;
  const tachPerHobbs = quantile(
    hours.map(({ hobbs, tach }) => tach / hobbs),
    0.5,
  );
  const spread = quantile(
    hours.map(({ hobbs, tach }) => Math.abs(tach - tachPerHobbs * hobbs)),
    0.9,
  );
  return { tachPerHobbs, spread };
}

/** Returns the value that this share of all values does not exceed; at one half, the mean of the middle two. */
function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const [low = 0, high = low] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
}
