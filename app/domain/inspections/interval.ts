import { toHundredths } from '../reading.ts';
import type { DuePoint } from './due-point.ts';

interface Interval {
  count: number;
  unit: 'hours' | 'days' | 'months';
}

interface Done {
  reading?: string | undefined;
  /** Day as 'YYYY-MM-DD'. */
  doneOn: string;
}

/** Returns when it is due again after it was done; undefined without the reading that it counts from. */
export function nextDue(
  at: DuePoint['at'],
  { count, unit }: Interval,
  { reading, doneOn }: Done,
): DuePoint | undefined {
  if (at === 'date') return { at, value: unit === 'months' ? addMonths(doneOn, count) : addDays(doneOn, count) };
  return reading === undefined ? undefined : { at, value: addHours(reading, count) };
}

/** Returns '100 h' or '12 months'. */
export function intervalText({ count, unit }: Interval): string {
  if (unit === 'hours') return `${count} h`;
  return count === 1 ? `1 ${unit.slice(0, -1)}` : `${count} ${unit}`;
}

function addHours(reading: string, hours: number): string {
  const hundredths = toHundredths(reading) + Math.round(hours * 100);
  return (hundredths / 100).toFixed(hundredths % 10 === 0 ? 1 : 2);
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Adds months; a month without that day gives its last one. */
function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const lastDate = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, lastDate))).toISOString().slice(0, 10);
}
