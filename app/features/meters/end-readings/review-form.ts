import type { ReadingFlag } from '#db/tables.ts';
import { endReadingErrors } from '#app/domain/flights/flight-readings.ts';
import { fromHundredths, parseReading, shortHours } from '#app/domain/reading.ts';
import { checkEnd, type EndContext } from '#app/domain/readings/check-end.ts';
import { flagText } from '#app/domain/readings/flag-text.ts';
import { flownHundredths, type MeterChangeReadings, type MeterReadings } from '#app/domain/readings/meters.ts';
import type { ReadingNoteContent } from '../reading-note.tsx';

type FormValues = Readonly<Record<string, string | undefined>>;

interface MeterReview {
  /** The hours flown, or what is wrong or odd. */
  note: ReadingNoteContent | undefined;
  /** The start may be what is wrong. */
  asksStart: boolean;
}

export interface FormReview {
  hobbs: MeterReview;
  tach: MeterReview;
  /** A tick is needed. */
  isOdd: boolean;
}

/** Comments on the readings as they are typed, by the rules that the server has. */
export function reviewForm(values: FormValues, context: EndContext): FormReview {
  const start = {
    hobbs: reading(values.startHobbsTime) ?? context.start.hobbs,
    tachometer: reading(values.startTachTime) ?? context.start.tachometer,
  };
  const ends = { hobbs: reading(values.endHobbsTime), tachometer: reading(values.endTachTime) };
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
  };
}

/** What the Hobbs meter counted, undefined while its end is not known. */
export function hobbsHundredths(values: FormValues, start: MeterReadings): number | undefined {
  const end = reading(values.endHobbsTime);
  if (end === undefined) return undefined;
  const hours = flownHundredths(reading(values.startHobbsTime) ?? start.hobbs, end, changeOf(values, 'hobbs'));
  return hours > 0 ? hours : undefined;
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
  return hours > 0 ? { tone: 'neutral', text: `${shortHours(fromHundredths(hours))} h since the start.` } : undefined;
}

function flagOf(flags: ReadingFlag[], meter: keyof MeterReadings): ReadingFlag | undefined {
  return flags.find((flag) => flag.meter === meter);
}

function changeOf(values: FormValues, meter: 'hobbs' | 'tach'): MeterChangeReadings | undefined {
  const valueOf = (name: string) => values[`meterChanges.${meter}.${name}`];
  const oldLast = reading(valueOf('oldLast'));
  const newFirst = reading(valueOf('newFirst'));
  return valueOf('changed') && oldLast !== undefined && newFirst !== undefined ? { oldLast, newFirst } : undefined;
}

function reading(value: string | undefined): string | undefined {
  return parseReading(value ?? '');
}

/** The hours flown by what is typed, as '1.2'; undefined where an end is missing or not above its start. */
export function flownHours(values: FormValues, start: MeterReadings): Partial<MeterReadings> {
  const hoursOf = (end: string | undefined, startOf: string, change: MeterChangeReadings | undefined) => {
    const hours = end === undefined ? 0 : flownHundredths(startOf, end, change);
    return hours > 0 ? shortHours(fromHundredths(hours)) : undefined;
  };
  const hobbsStart = reading(values.startHobbsTime) ?? start.hobbs;
  const tachStart = reading(values.startTachTime) ?? start.tachometer;
  const hobbs = hoursOf(reading(values.endHobbsTime), hobbsStart, changeOf(values, 'hobbs'));
  const tachometer = hoursOf(reading(values.endTachTime), tachStart, changeOf(values, 'tach'));
  return { ...(hobbs && { hobbs }), ...(tachometer && { tachometer }) };
}
