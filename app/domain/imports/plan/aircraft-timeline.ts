import type { FlightRecord } from '../records.ts';
import { toHundredths } from '../../reading.ts';

/** A stay of an aircraft between two readings, in milliseconds and hundredths; null where none was read. */
export interface TimedReadings {
  start: number;
  end: number;
  startHobbs: number | null;
  endHobbs: number | null;
  startTach: number | null;
  endTach: number | null;
  /** Of the file; null for a flight of the school. */
  row: number | null;
}

/** What is known of an aircraft: its flights, when its meters were changed, what was imported before. */
export interface AircraftTimeline {
  flights: TimedReadings[];
  /** Milliseconds. */
  changes: number[];
  sourceIds: Map<string, TimedReadings>;
}

export function minuteOf({ start }: { start: number }): number {
  return Math.floor(start / 60_000);
}

type Readings = Pick<FlightRecord, 'startHobbs' | 'endHobbs' | 'startTach' | 'endTach'>;

/** A correction changes some of the readings, hardly all. */
export function isSameFlight(known: TimedReadings, readings: Readings): boolean {
  return (
    known.startHobbs === toHundredths(readings.startHobbs) ||
    known.endHobbs === toHundredths(readings.endHobbs) ||
    known.startTach === toHundredths(readings.startTach) ||
    known.endTach === toHundredths(readings.endTach)
  );
}
