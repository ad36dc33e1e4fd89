import type { DayIndex } from '../group-by.ts';
import { UNTIMED_DAY } from '../values/flight-times.server.ts';

/** A stay of an aircraft between two readings, in milliseconds and hundredths; null where none was read. */
export interface TimedReadings {
  start: number;
  end: number;
  /** The day of a flight whose times are made up, as in `UntimedFlight`; null where they are known. */
  day: number | null;
  startHobbs: number | null;
  endHobbs: number | null;
  startTach: number | null;
  endTach: number | null;
  /** The row of the file; null for a flight of the school. */
  row: number | null;
  id?: number;
}

/** Everything that is known of an aircraft: its flights, when its meters were changed, what was imported before. */
export interface AircraftTimeline {
  flights: TimedReadings[];
  /** Read between flights. */
  readings: TimedReadings[];
  /** Milliseconds. */
  changes: number[];
  sourceIds: Map<string, TimedReadings>;
  /** The flights by all readings that they have, or had before they were corrected. */
  byReadings: DayIndex<TimedReadings>;
}

export function readingsKey({ startHobbs, endHobbs, startTach, endTach }: TimedReadings): string {
  return `${startHobbs} ${endHobbs} ${startTach} ${endTach}`;
}

/** To the minute where both times are known, else to the day. */
export function isAtSameTime(one: TimedReadings, other: TimedReadings): boolean {
  if (one.day === null && other.day === null) return minuteOf(one.start) === minuteOf(other.start);
  const [untimed, another] = one.day === null ? [other, one] : [one, other];
  const { from, to } = spanOf(untimed);
  const at = another.day ?? another.start;
  return at >= from && at < to;
}

function minuteOf(instant: number): number {
  return Math.floor(instant / 60_000);
}

/** Returns the time in which it may have been: all of its day where its times are made up. */
export function spanOf({ day, start, end }: TimedReadings): { from: number; to: number } {
  return day === null ? { from: start, to: end } : { from: day - UNTIMED_DAY.before, to: day + UNTIMED_DAY.after };
}
