import type { MeterType, ReadingFlag } from '#db/tables.ts';
import {
  HIGH_CONFIDENCE,
  MAX_UNFLAGGED_FLIGHT_HOURS,
  MAX_UNFLAGGED_GAP_HUNDREDTHS,
  MAX_UNFLAGGED_PHOTO_DIFFERENCE_HUNDREDTHS,
} from '#app/limits.ts';
import { hoursBetween, parseReading, toHundredths } from '../reading.ts';
import { METER_TYPES, METER_WORDS, type MeterReadings, otherMeter } from './meters.ts';

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

/** Keeps what photos said of readings that stay: they are not looked at again. */
export function keepStoredPhotoFlags(
  found: ReadingFlag[],
  stored: ReadingFlag[],
  readings: Record<ReadingFlag['at'], Partial<MeterReadings>>,
): ReadingFlag[] {
  const kept = stored.filter(({ kind, at, meter, reading }) => kind === 'photo' && reading === readings[at][meter]);
  const isOpen = (flag: ReadingFlag) => !kept.some(({ at, meter }) => at === flag.at && meter === flag.meter);
  return [...kept, ...found.filter(isOpen)];
}

function differenceFlag(reading: string, last: string | null): Found | undefined {
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

export interface LastReadingView {
  value: string;
  by: string | null;
  /** Day such as '12 May', in the school's time zone. */
  on: string | null;
}

/** Says how a start reading differs from the last one; undefined if it does not. */
export function differenceText(last: LastReadingView | null, text: string): string | undefined {
  const start = parseReading(text);
  if (last === null || start === undefined) return undefined;
  const kind = differenceFlag(start, last.value)?.kind;
  if (kind === 'below') return `Lower than the last recorded reading (${lastReadingText(last)}).`;
  return kind === 'gap' ? `${hoursBetween(last.value, start)} h not logged since the last flight.` : undefined;
}

function lastReadingText({ value, by, on }: LastReadingView): string {
  return [by === null ? value : `${value} by ${by}`, on].filter((part) => part !== null).join(', ');
}

export interface ScanWithConfidence {
  detectedText: string;
  confidence: string;
  otherText: string | null;
}

/** Returns what a confident photo shows, even where it does not fit the last reading; null for any other. */
export function photoReading(scan: ScanWithConfidence | null): string | null {
  if (!scan || Number(scan.confidence) < HIGH_CONFIDENCE) return null;
  return parseReading(scan.detectedText || (scan.otherText ?? '')) ?? null;
}

/** Says what is odd, to a person who reads the meter. */
export function flagText({ meter, kind, reading, last }: ReadingFlag): string {
  const other = METER_WORDS[otherMeter(meter)];
  switch (kind) {
    case 'below':
      return `Lower than the last recorded reading (${last}).`;
    case 'gap':
      return `${hoursBetween(last, reading)} h not logged since the last flight.`;
    case 'photo':
      return `The photo shows ${last}, not ${reading}.`;
    case 'other meter':
      return `${reading} fits the ${other} meter, which stood at ${last}.`;
    case 'slip':
      return `Is a digit wrong? ${last} would fit the ${other} meter, ${reading} does not.`;
    case 'long':
      return `${hoursBetween(last, reading)} h since the start (${last}): more than ${MAX_UNFLAGGED_FLIGHT_HOURS} h.`;
    case 'time':
      return `${hoursBetween(last, reading)} h since the start (${last}): longer than the aircraft was out.`;
    case 'ratio':
      return `${reading} does not fit the ${other} meter: about ${last} would be usual.`;
  }
}
