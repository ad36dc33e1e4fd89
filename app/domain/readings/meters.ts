import type { MeterType } from '#db/tables.ts';
import { toHundredths } from '../reading.ts';

/** Hours as decimal strings. */
export type MeterReadings = Record<MeterType, string>;

export const METER_TYPES = ['hobbs', 'tachometer'] as const satisfies MeterType[];

export const METER_WORDS = { hobbs: 'Hobbs', tachometer: 'tach' } as const;

export interface MeterChangeReadings {
  oldLast: string;
  newFirst: string;
}

export type MeterChangesOfFlight = Partial<Record<MeterType, MeterChangeReadings | undefined>>;

export function otherMeter(meter: MeterType): MeterType {
  return meter === 'hobbs' ? 'tachometer' : 'hobbs';
}

/** Returns what a meter counted from one reading to another, across changed meters too, in hundredths of an hour. */
export function flownHundredths(
  start: string,
  end: string,
  ...changes: (MeterChangeReadings | null | undefined)[]
): number {
  const counted = toHundredths(end) - toHundredths(start);
  return changes.reduce(
    (sum, change) => (change ? sum + toHundredths(change.oldLast) - toHundredths(change.newFirst) : sum),
    counted,
  );
}
