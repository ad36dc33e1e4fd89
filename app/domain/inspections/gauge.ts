import { toHundredths } from '../reading.ts';
import type { DuePoint, Standing } from './due-point.ts';

interface Interval {
  count: number;
  unit: 'hours' | 'days' | 'months';
}

const DAY_MS = 86_400_000;
const DAYS_OF_MONTH = 365.25 / 12;

/** Returns how much of its interval an inspection has used, 1 when it is due, more past it; null if nobody can tell. */
export function usedShare(due: DuePoint, interval: Interval | null, standing: Standing): number | null {
  if (!interval) return null;
  const left = leftOf(due, standing);
  const whole = interval.unit === 'months' ? interval.count * DAYS_OF_MONTH : interval.count;
  return left === null || whole <= 0 ? null : Math.max(0, (whole - left) / whole);
}

/** In hours or days, as the point has it. */
function leftOf({ at, value }: DuePoint, standing: Standing): number | null {
  if (at === 'date') return (Date.parse(value) - Date.parse(standing.today)) / DAY_MS;
  const last = standing[at];
  return last === null ? null : (toHundredths(value) - toHundredths(last)) / 100;
}
