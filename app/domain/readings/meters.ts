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

/** Returns what a meter counted in a flight, across a changed meter too, in hundredths of an hour. */
export function flownHundredths(start: string, end: string, change?: MeterChangeReadings): number {
  if (!change) return toHundredths(end) - toHundredths(start);
  const { oldLast, newFirst } = change;
  return toHundredths(oldLast) - toHundredths(start) + toHundredths(end) - toHundredths(newFirst);
}
