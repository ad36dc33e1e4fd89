import { MS_PER_DAY } from '#app/limits.ts';
import type { Interval } from './schema.server.ts';
import { hoursText, toHundredths } from '../reading.ts';
import type { DuePoint, Standing } from './due-point.ts';

interface Done {
  reading?: string | undefined;
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
  return hoursText(toHundredths(reading) + Math.round(hours * 100));
}

/** Adds days in UTC, in which each has 24 hours. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * MS_PER_DAY).toISOString().slice(0, 10);
}

/** Adds months; a month without that day gives its last one. */
function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const lastDate = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, lastDate))).toISOString().slice(0, 10);
}

const DAYS_OF_MONTH = 365.25 / 12;

/** Returns how much of its interval an inspection has used, 1 when it is due, more past it; null if nobody can tell. */
export function usedShare(due: DuePoint, interval: Interval | null, standing: Standing): number | null {
  if (!interval) return null;
  const left = leftOf(due, standing);
  const whole = interval.unit === 'months' ? interval.count * DAYS_OF_MONTH : interval.count;
  return left === null || whole <= 0 ? null : Math.max(0, (whole - left) / whole);
}

function leftOf({ at, value }: DuePoint, standing: Standing): number | null {
  if (at === 'date') return (Date.parse(value) - Date.parse(standing.today)) / MS_PER_DAY;
  const last = standing[at];
  return last === null ? null : (toHundredths(value) - toHundredths(last)) / 100;
}
