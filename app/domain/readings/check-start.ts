import type { MeterType, ReadingFlag } from '#db/tables.ts';
import {
  MAX_UNFLAGGED_FLIGHT_HOURS,
  MAX_UNFLAGGED_GAP_HUNDREDTHS,
  MAX_UNFLAGGED_PHOTO_DIFFERENCE_HUNDREDTHS,
} from '#app/limits.ts';
import { toHundredths } from '../reading.ts';
import { METER_TYPES, type MeterReadings, otherMeter } from './meters.ts';

export type PhotoReadings = Record<keyof MeterReadings, string | null>;

interface StartContext {
  /** The aircraft's last readings; null for a meter without one. */
  last: Record<keyof MeterReadings, string | null>;
  photos: PhotoReadings;
}

type Found = Pick<ReadingFlag, 'kind' | 'last'>;

/** Returns what is odd about start readings, one flag a meter. */
export function checkStart(starts: MeterReadings, { last, photos }: StartContext): ReadingFlag[] {
  return METER_TYPES.flatMap((meter) => {
    const reading = starts[meter];
    const found = photoFlag(reading, photos[meter]) ?? differenceFlag(reading, last[meter]);
    return found ? [{ meter, at: 'start', reading, ...found }] : [];
  });
}

export function photoFlag(reading: string, photo: string | null): Found | undefined {
  if (photo === null) return undefined;
  const difference = Math.abs(toHundredths(reading) - toHundredths(photo));
  return difference > MAX_UNFLAGGED_PHOTO_DIFFERENCE_HUNDREDTHS ? { kind: 'photo', last: photo } : undefined;
}

/** Flags a reading below the aircraft's last one, or more than 0.1 h above. */
export function differenceFlag(reading: string, last: string | null): Found | undefined {
  if (last === null) return undefined;
  const gap = toHundredths(reading) - toHundredths(last);
  if (gap < 0) return { kind: 'below', last };
  return gap > MAX_UNFLAGGED_GAP_HUNDREDTHS ? { kind: 'gap', last } : undefined;
}

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
