import type { MeterType, ReadingFlag } from '#db/tables.ts';
import { MAX_UNFLAGGED_FLIGHT_HOURS } from '#app/limits.ts';
import { toHundredths } from '../reading.ts';
import { otherMeter } from './meters.ts';

/** Flags a last reading, entered without a flight, that is further than a flight goes. */
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
