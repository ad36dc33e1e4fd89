import type { ReadingFlag } from '#db/tables.ts';
import { endReadingErrors } from '#app/domain/flights/flight-readings.ts';
import { hoursText } from '#app/domain/reading.ts';
import { checkEnd, type EndReadingBaseline } from '#app/domain/readings/check-end.ts';
import { flagText } from '#app/domain/readings/check-start.ts';
import { flownHundredths, type MeterChangeReadings, type MeterReadings } from '#app/domain/readings/meters.ts';
import type { ReadingNoteContent } from '../reading-note.tsx';
import { changeOf, type FormValues, parseTypedReading } from './typed-hours.ts';

interface MeterReview {
  note: ReadingNoteContent | undefined;
  asksStart: boolean;
}

export interface FormReview {
  hobbs: MeterReview;
  tach: MeterReview;
  isOdd: boolean;
  isBelowStart: boolean;
}

/** Comments on the readings as they are typed, by the rules that the server has. */
export function reviewForm(values: FormValues, context: EndReadingBaseline): FormReview {
  const start = {
    hobbs: parseTypedReading(values.startHobbsTime) ?? context.start.hobbs,
    tachometer: parseTypedReading(values.startTachTime) ?? context.start.tachometer,
  };
  const ends = { hobbs: parseTypedReading(values.endHobbsTime), tachometer: parseTypedReading(values.endTachTime) };
  const typed: Partial<MeterReadings> = {
    ...(ends.hobbs !== undefined && { hobbs: ends.hobbs }),
    ...(ends.tachometer !== undefined && { tachometer: ends.tachometer }),
  };
  const changes = { hobbs: changeOf(values, 'hobbs'), tachometer: changeOf(values, 'tach') };
  const errors = endReadingErrors(start, typed, changes);
  const flags = checkEnd(typed, { ...context, start }, changes);
  const reviewOf = (meter: keyof MeterReadings, error: string | undefined, startTyped: string | undefined) => {
    const note = noteOf(ends[meter], start[meter], changes[meter], error, flagOf(flags, meter));
    return { note, asksStart: note?.tone === 'caution' || Boolean(startTyped) };
  };
  return {
    hobbs: reviewOf('hobbs', errors.endHobbsTime, values.startHobbsTime),
    tach: reviewOf('tachometer', errors.endTachTime, values.startTachTime),
    isOdd: flags.length > 0,
    isBelowStart: Object.keys(errors).length > 0,
  };
}

function noteOf(
  end: string | undefined,
  start: string,
  change: MeterChangeReadings | undefined,
  error: string | undefined,
  flag: ReadingFlag | undefined,
): ReadingNoteContent | undefined {
  if (end === undefined) return undefined;
  if (error !== undefined) return { tone: 'caution', text: error };
  if (flag) return { tone: 'caution', text: flagText(flag) };
  const hours = flownHundredths(start, end, change);
  return hours > 0 ? { tone: 'neutral', text: `${hoursText(hours)} h since the start.` } : undefined;
}

function flagOf(flags: ReadingFlag[], meter: keyof MeterReadings): ReadingFlag | undefined {
  return flags.find((flag) => flag.meter === meter);
}
