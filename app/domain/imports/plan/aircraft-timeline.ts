import type { DayIndex } from '../group-by.ts';
import { sortInSlices } from '../slices.ts';
import { UNTIMED_DAY_SPAN_MS } from '../values/flight-times.server.ts';

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
  readings: TimedReadings[];
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
  return day === null
    ? { from: start, to: end }
    : { from: day - UNTIMED_DAY_SPAN_MS.before, to: day + UNTIMED_DAY_SPAN_MS.after };
}

/** By their times; those whose times are made up by their readings, among the others of their day. */
export async function orderTimeline(all: TimedReadings[]): Promise<TimedReadings[]> {
  const timed = await sortInSlices(
    all.filter(({ day }) => day === null),
    (a, b) => a.start - b.start || a.end - b.end,
  );
  const untimed = await sortInSlices(
    all.filter(({ day }) => day !== null),
    (a, b) => spanOf(a).from - spanOf(b).from || compareReadings(a, b),
  );
  const ordered: TimedReadings[] = [];
  let at = 0;
  for (const flight of untimed) {
    for (let next = timed[at]; next && isBefore(next, flight); next = timed[at]) {
      ordered.push(next);
      at += 1;
    }
    ordered.push(flight);
  }
  return untimed.length === 0 ? timed : [...ordered, ...timed.slice(at)];
}

function isBefore(timed: TimedReadings, untimed: TimedReadings): boolean {
  const { from, to } = spanOf(untimed);
  return timed.start < from || (timed.start < to && compareReadings(timed, untimed) <= 0);
}

/** A reading that was saved between flights may be of one meter only. */
function compareReadings(a: TimedReadings, b: TimedReadings): number {
  if (a.startHobbs !== null && b.startHobbs !== null) return a.startHobbs - b.startHobbs;
  return (a.startTach ?? 0) - (b.startTach ?? 0);
}

/**
 * Makes up the times of a file's flights that have none: one after the other from eight o'clock, as long as their hours;
 * earlier or shorter where the flights around them, or the present, leave less room.
 */
export function assignTimesToUntimed(ordered: TimedReadings[], now: number): void {
  let latest = -Infinity;
  for (let at = 0; at < ordered.length; at += 1) {
    const run = runFrom(ordered, at);
    const [first] = run;
    if (first) {
      const { from, to } = spanOf(first);
      const earliest = Math.max(from, latest);
      const next = ordered[at + run.length]?.start ?? Infinity;
      layBetween(run, earliest, Math.max(earliest, Math.min(next, to, now)));
      at += run.length - 1;
    }
    const { start, end } = ordered[at] ?? { start: latest, end: latest };
    latest = Math.max(latest, end === Infinity ? start : end);
  }
}

/** The flights of the file that follow each other on one day without times. */
function runFrom(ordered: TimedReadings[], at: number): TimedReadings[] {
  const day = ordered[at]?.day ?? null;
  if (day === null) return [];
  let end = at;
  while (ordered[end]?.day === day && ordered[end]?.row !== null) end += 1;
  return ordered.slice(at, end);
}

function layBetween(run: TimedReadings[], earliest: number, latest: number): void {
  const length = run.reduce((sum, { start, end }) => sum + end - start, 0);
  const usual = Math.max(earliest, run[0]?.day ?? earliest);
  const start = usual + length <= latest ? usual : Math.max(earliest, latest - length);
  const share = length === 0 ? 0 : Math.min(1, (latest - start) / length);
  let next = start;
  for (const flight of run) {
    const ownLength = Math.floor((flight.end - flight.start) * share);
    flight.start = next;
    next += ownLength;
    flight.end = next;
  }
}
