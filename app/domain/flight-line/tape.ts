import { TAPE_FIRST_HOUR, TAPE_LAST_HOUR } from '#app/limits.ts';

export const TAPE_MINUTES = (TAPE_LAST_HOUR - TAPE_FIRST_HOUR) * 60;

const MIN_MINUTES = 6;

/** Returns a flight's part of the tape, in minutes from its beginning; null if it lies outside. */
export function clipToTape(from: number, to: number): [from: number, minutes: number] | null {
  if (to < 0 || from > TAPE_MINUTES) return null;
  const start = Math.min(Math.max(from, 0), TAPE_MINUTES - MIN_MINUTES);
  return [start, Math.max(Math.min(to, TAPE_MINUTES) - start, MIN_MINUTES)];
}
