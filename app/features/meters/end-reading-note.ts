import { hoursBetween, toHundredths, parseReading } from '#app/domain/reading.ts';
import type { ReadingNoteContent } from './reading-note.tsx';

/** The hours since the start reading, or `notAboveStart` where an end reading is not above it. */
export function endReadingNote(end: string, start: string, notAboveStart: string): ReadingNoteContent | undefined {
  const reading = parseReading(end);
  if (reading === undefined) return undefined;
  if (toHundredths(reading) <= toHundredths(start)) return { tone: 'caution', text: notAboveStart };
  return { tone: 'neutral', text: `${hoursBetween(start, reading)} h since the start.` };
}
