import { z } from 'zod';
import { MS_PER_DAY } from '#app/limits.ts';
import { formatIsoDateTime } from '../format.server.ts';
import { texts } from '../texts.ts';

/** Returns a time as a datetime-local input has it: '2026-05-12T14:05'. */
export function toSchoolTime(at: Date | string, timeZone: string): string {
  return formatIsoDateTime(at, timeZone).slice(0, 16);
}

const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?$/;

/** Returns the instants, oldest first, that a school time may mean: two in the night when clocks are set back. */
export function instantsOfSchoolTime(time: string, timeZone: string): Date[] {
  if (!LOCAL.test(time)) return [new Date(time)];
  const asUtc = new Date(`${time}Z`).getTime();
  const offsets = [-MS_PER_DAY, MS_PER_DAY].map((shift) => offsetAt(asUtc + shift, timeZone));
  const instants = [...new Set(offsets.map((offset) => asUtc - offset))].toSorted((a, b) => a - b);
  const existing = instants.filter((instant) => instant + offsetAt(instant, timeZone) === asUtc);
  // A time that clocks skipped is as much after the skip as it says.
  return (existing.length > 0 ? existing : instants.slice(-1)).map((instant) => new Date(instant));
}

function offsetAt(instant: number, timeZone: string): number {
  const whole = Math.floor(instant / 1000) * 1000;
  return new Date(`${formatIsoDateTime(new Date(whole), timeZone).slice(0, 19)}Z`).getTime() - whole;
}

export const instantInputSchema = z.iso
  .datetime({ offset: true, error: texts.instantInvalid })
  .refine((time) => isInKnownYear(new Date(time)), texts.instantInvalid)
  .nullish();

export const schoolTimeInputSchema = z
  .string(texts.schoolTimeInvalid)
  .trim()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/, texts.schoolTimeInvalid)
  .refine(isCalendarTime, texts.schoolTimeInvalid)
  .nullish();

function isCalendarTime(time: string): boolean {
  const date = new Date(`${time}Z`);
  return isInKnownYear(date) && date.toISOString().startsWith(time.slice(0, 16));
}

/** Postgres has no year 0, and beyond four figures JavaScript writes years as Postgres does not read them. */
function isInKnownYear(date: Date): boolean {
  const year = date.getUTCFullYear();
  return year >= 1000 && year < 3000;
}
