import type { MeterType, ReadingFlag } from '#db/tables.ts';
import { MAX_UNFLAGGED_FLIGHT_HOURS } from '#app/limits.ts';
import { toHundredths } from '../reading.ts';
import { otherMeter } from './meters.ts';

/**
 * Returns what is odd about a reading that is to be an aircraft's last one, without a flight: further than a flight
 * goes.
 */
export function checkLastReading(
  meter: MeterType,
  reading: string,
  last: Record<MeterType, string | null>,
): Pick<ReadingFlag, 'kind' | 'last'> | undefined {
  const own = last[meter];
  const other = last[otherMeter(meter)];
  if (own === null || !isFarAbove(reading, own)) return undefined;
  const fitsOther = other !== null && toHundredths(reading) >= toHundredths(other) && !isFarAbove(reading, other);
  return fitsOther ? { kind: 'other meter', last: other } : { kind: 'long', last: own };
}

function isFarAbove(reading: string, last: string): boolean {
  return toHundredths(reading) - toHundredths(last) > MAX_UNFLAGGED_FLIGHT_HOURS * 100;
}
