import type { ReadingFlag } from '#db/tables.ts';
import { MAX_UNFLAGGED_GAP_HUNDREDTHS } from '#app/limits.ts';
import { hoursBetween, toHundredths, parseReading } from '../reading.ts';

interface LastReadings {
  last_hobbs: string | null;
  last_tach: string | null;
}

interface StartReadings {
  startHobbsTime: string;
  startTachTime: string;
}

/** Flags start readings below the aircraft's last ones, or more than 0.1 h above. */
export function readingFlags(aircraft: LastReadings, start: StartReadings): ReadingFlag[] {
  return [
    ...toReadingFlag('hobbs', aircraft.last_hobbs, start.startHobbsTime),
    ...toReadingFlag('tachometer', aircraft.last_tach, start.startTachTime),
  ];
}

export interface LastReadingView {
  value: string;
  /** Null: recorded when the aircraft was added. */
  by: string | null;
  /** '12 May' in the school's time zone. */
  on: string | null;
}

/** How a start reading differs from the last one; undefined if it does not. */
export function differenceText(last: LastReadingView | null, text: string): string | undefined {
  const start = parseReading(text);
  if (last === null || start === undefined) return undefined;
  const kind = differenceKind(last.value, start);
  if (kind === 'below') return `Lower than the last recorded reading (${lastReadingText(last)}).`;
  return kind === 'gap' ? `${hoursBetween(last.value, start)} h not logged since the last flight.` : undefined;
}

function lastReadingText({ value, by, on }: LastReadingView): string {
  return [by === null ? value : `${value} by ${by}`, on].filter((part) => part !== null).join(', ');
}

function toReadingFlag(meter: ReadingFlag['meter'], last: string | null, start: string): ReadingFlag[] {
  const kind = last === null ? undefined : differenceKind(last, start);
  return kind && last !== null ? [{ meter, kind, last }] : [];
}

function differenceKind(last: string, start: string): ReadingFlag['kind'] | undefined {
  const gap = toHundredths(start) - toHundredths(last);
  if (gap < 0) return 'below';
  return gap > MAX_UNFLAGGED_GAP_HUNDREDTHS ? 'gap' : undefined;
}
