import type { MeterType, ReadingFlag } from '#db/tables.ts';
import {
  MAX_TACH_PER_HOBBS,
  MAX_UNFLAGGED_FLIGHT_HOURS,
  MAX_UNFLAGGED_METER_EXCESS_HOURS,
  MIN_RATIO_FLIGHT_HUNDREDTHS,
  MIN_RATIO_FLIGHTS,
  MIN_TACH_PER_HOBBS,
} from '#app/limits.ts';
import { countDecimals, hoursText, toHundredths } from '../reading.ts';
import { photoFlag, type PhotoReadings } from './check-start.ts';
import { flownHundredths, METER_TYPES, type MeterChangesOfFlight, type MeterReadings, otherMeter } from './meters.ts';

export interface EndReadingBaseline {
  start: MeterReadings;
  hoursOut: number;
  ratio: UsualRatio | null;
  photos: PhotoReadings;
}

const LONGEST = MAX_UNFLAGGED_FLIGHT_HOURS * 100;

/** Flags odd ends that are above their starts, one flag a meter; a reading may still be missing. */
export function checkEnd(
  ends: Partial<MeterReadings>,
  context: EndReadingBaseline,
  changes: MeterChangesOfFlight = {},
): ReadingFlag[] {
  const flown = { hobbs: flownBy('hobbs'), tachometer: flownBy('tachometer') };
  const slip = findSlip(ends, flown, context, changes);
  return METER_TYPES.flatMap((meter) => {
    const reading = ends[meter];
    const hours = flown[meter];
    if (reading === undefined || hours === undefined) return [];
    const found =
      photoFlag(reading, context.photos[meter]) ??
      otherMeterFlag(meter, reading, hours, context, changes) ??
      (slip?.meter === meter ? { kind: 'slip' as const, last: shown(slip.meant) } : undefined) ??
      lengthFlag(reading, hours, context) ??
      (slip || meter === 'hobbs' ? undefined : ratioFlag(reading, flown, context));
    return found ? [{ meter, at: 'end', reading, ...found }] : [];
  });

  function flownBy(meter: MeterType): number | undefined {
    const end = ends[meter];
    const hours = end === undefined ? 0 : flownHundredths(context.start[meter], end, changes[meter]);
    return hours > 0 ? hours : undefined;
  }
}

type Flown = Record<MeterType, number | undefined>;
type Found = Pick<ReadingFlag, 'kind' | 'last'>;

function otherMeterFlag(
  meter: MeterType,
  reading: string,
  hours: number,
  { start }: EndReadingBaseline,
  changes: MeterChangesOfFlight,
): Found | undefined {
  const other = start[otherMeter(meter)];
  const sinceOther = flownHundredths(other, reading);
  const fitsOther = hours > LONGEST && sinceOther > 0 && sinceOther <= LONGEST && !changes[meter];
  return fitsOther ? { kind: 'other meter', last: other } : undefined;
}

function lengthFlag(reading: string, hours: number, { hoursOut }: EndReadingBaseline): Found | undefined {
  const last = shown(toHundredths(reading) - hours);
  if (hours > LONGEST) return { kind: 'long', last };
  return hours > (hoursOut + MAX_UNFLAGGED_METER_EXCESS_HOURS) * 100 ? { kind: 'time', last } : undefined;
}

function ratioFlag(reading: string, { hobbs, tachometer }: Flown, { ratio }: EndReadingBaseline): Found | undefined {
  if (hobbs === undefined || tachometer === undefined || !isOutsideRatio(hobbs, tachometer, ratio)) return undefined;
  const expected = toHundredths(reading) - tachometer + Math.round(hobbs * tachPerHobbs(ratio));
  return { kind: 'ratio', last: shown(expected) };
}

/** Compares with the usual ratio. Meters show tenths, so that two of them may be off by some in either direction. */
function isOutsideRatio(hobbs: number, tach: number, ratio: UsualRatio | null): boolean {
  if (ratio) return deviation(hobbs, tach, ratio) > tolerance(hobbs, ratio);
  return hobbs >= 100 && (tach < hobbs * MIN_TACH_PER_HOBBS || tach > hobbs * MAX_TACH_PER_HOBBS);
}

function tolerance(hobbs: number, ratio: UsualRatio | null): number {
  return Math.max(25, (ratio?.spread ?? 0) * 1.5) + hobbs * 0.03;
}

/** The ratio of most engines: a tach counts revolutions. */
const COMMON_TACH_PER_HOBBS = 0.85;
/** Hundredths of an hour, as the two below; meters that show tenths are off by as much without a slip. */
const MIN_IMPROVEMENT = 12;
/** A reading with more decimals than at the start is doubtful even if it fits as well. */
const MAX_WORSENING_OF_LONG_READING = 5;
const MIN_SLIP = 30;

/** Finds the one reading that would fit the other meter clearly better if one slip had been made in typing it. */
function findSlip(
  ends: Partial<MeterReadings>,
  flown: Flown,
  context: EndReadingBaseline,
  changes: MeterChangesOfFlight,
) {
  const { hobbs, tachometer } = flown;
  const { ratio, start } = context;
  if (hobbs === undefined || tachometer === undefined) return undefined;
  const isAnyLong = METER_TYPES.some((meter) => countDecimals(ends[meter] ?? '') > countDecimals(start[meter]));
  if (!isAnyLong && isCommon(hobbs, tachometer, ratio)) return undefined;
  const off = deviation(hobbs, tachometer, ratio);
  const slips = METER_TYPES.flatMap((meter) => {
    const reading = ends[meter];
    const hours = flown[meter];
    if (reading === undefined || hours === undefined || changes[meter]) return [];
    const typed = toHundredths(reading);
    return readingsOneTypoAway(reading, start[meter])
      .filter((meant) => Math.abs(meant - typed) > MIN_SLIP)
      .map((meant) => ({ meter, meant, hours: hours + meant - typed }))
      .filter((candidate) => candidate.hours > 0 && candidate.hours <= LONGEST)
      .map((candidate) => ({ ...candidate, off: deviationWith(candidate.meter, candidate.hours) }))
      .filter((candidate) => candidate.off <= tolerance(meter === 'hobbs' ? candidate.hours : hobbs, ratio));
  });
  const best = slips.toSorted((a, b) => a.off - b.off)[0];
  const needed = isAnyLong ? -MAX_WORSENING_OF_LONG_READING : MIN_IMPROVEMENT;
  return best && off - best.off >= needed ? best : undefined;

  function deviationWith(meter: MeterType, hours: number): number {
    return meter === 'hobbs' ? deviation(hours, tachometer ?? 0, ratio) : deviation(hobbs ?? 0, hours, ratio);
  }
}

/** Returns true for hours of most engines, about which nothing is asked while no ratio is usual yet. */
function isCommon(hobbs: number, tach: number, ratio: UsualRatio | null): boolean {
  return ratio === null && tach > hobbs * 0.72 && tach < hobbs * 1.03;
}

function deviation(hobbs: number, tach: number, ratio: UsualRatio | null): number {
  return Math.abs(tach - hobbs * tachPerHobbs(ratio));
}

function tachPerHobbs(ratio: UsualRatio | null): number {
  return ratio?.tachPerHobbs ?? COMMON_TACH_PER_HOBBS;
}

function shown(hundredths: number): string {
  return hoursText(Math.max(0, hundredths));
}

const LOOK_ALIKES: Readonly<Record<string, string>> = { 1: '7', 7: '1', 3: '8', 8: '3', 5: '6', 6: '5' };
const DIGITS = [...'0123456789'];

/** Returns, in hundredths, what one mistake in typing may have made of a reading; `like` shows the meter's decimals. */
function readingsOneTypoAway(reading: string, like: string): number[] {
  const [whole = '', fraction = ''] = reading.split('.');
  const digits = whole + fraction;
  const decimals = [...new Set([fraction.length, countDecimals(like)])];
  const meant = [
    ...decimals.flatMap((count) => [digits, ...withoutOneDigit(digits)].map((text) => placePoint(text, count))),
    ...[...withSwappedDigits(digits), ...withLookAlikes(digits)].map((text) => placePoint(text, fraction.length)),
    ...(fraction.length < countDecimals(like)
      ? withOneMoreDigit(digits).map((text) => placePoint(text, countDecimals(like)))
      : []),
  ];
  return [...new Set(meant)];
}

function withoutOneDigit(digits: string): string[] {
  return positions(digits).map((at) => digits.slice(0, at) + digits.slice(at + 1));
}

function withOneMoreDigit(digits: string): string[] {
  return [...positions(digits), digits.length].flatMap((at) =>
    DIGITS.map((digit) => digits.slice(0, at) + digit + digits.slice(at)),
  );
}

function withSwappedDigits(digits: string): string[] {
  return positions(digits).map(
    (at) => digits.slice(0, at) + digits.slice(at + 1, at + 2) + digits.charAt(at) + digits.slice(at + 2),
  );
}

function withLookAlikes(digits: string): string[] {
  return positions(digits).flatMap((at) => {
    const other = LOOK_ALIKES[digits.charAt(at)];
    return other === undefined ? [] : [digits.slice(0, at) + other + digits.slice(at + 1)];
  });
}

function positions(digits: string): number[] {
  return [...digits].map((_, at) => at);
}

function placePoint(digits: string, decimals: number): number {
  return Number(digits) * 10 ** (2 - decimals);
}

interface UsualRatio {
  tachPerHobbs: number;
  /** Hundredths of an hour by which nine flights in ten stay off it at most. */
  spread: number;
}

interface FlightHours {
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
