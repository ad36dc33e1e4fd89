import {
  MAX_CLOCK_SKEW_MINUTES,
  MAX_DEPARTURE_BEFORE_CHECK_OUT_HOURS,
  MIN_IMPORTED_YEAR,
  MS_PER_DAY,
  MS_PER_HOUR,
} from '#app/limits.ts';
import { type ParsedMoment, parseClock, parseMoment } from './moments.ts';
import { parseHundredths } from './decimals.ts';
import type { ImportFormats } from '../reading/answers.ts';
import type { FlightRecord } from '../records.ts';
import type { RowReader } from './row-reader.ts';

export interface ParsedFlightTimes extends Pick<FlightRecord, 'startedAt' | 'completedAt' | 'untimed' | 'endedWithin'> {
  /** In hundredths of an hour: by the clock, and as it is written. */
  lengths: { field: 'end' | 'hours'; hundredths: number }[];
}

/** A flight that landed before it started by the clock has landed on the next day, up to so many hours later. */
const LONGEST_NIGHT_HOURS = 16;
/** An aircraft's first flight of a day without clock times starts at this hour. */
const FIRST_HOUR = '08:00';
/** The day reaches this far before and after that hour. */
export const UNTIMED_DAY_SPAN_MS = { before: 8 * MS_PER_HOUR, after: 16 * MS_PER_HOUR };
const MS_PER_HUNDREDTH = MS_PER_HOUR / 100;
const TENTH_OF_AN_HOUR_MS = MS_PER_HOUR / 10;

/** Undefined where a time was refused, or cannot be known. */
export function readFlightTimes(row: RowReader, hobbsHundredths?: number): ParsedFlightTimes | undefined {
  const start = readMoment(row, 'start', 'date');
  if (!start) return undefined;
  const isDayOnly = start.clock === null;
  if (isDayOnly && !row.isEmpty('end')) row.remark('end', 'This is left out: no clock time of the start is written.');
  const starts = row.instants(start.field, { ...start, clock: start.clock ?? FIRST_HOUR });
  const written = row.parsed('hours', parseHundredths);
  const lasting = written ?? hobbsHundredths;
  const hasEnd = !isDayOnly && !(row.isEmpty('end') && row.isEmpty('endDate'));
  // An hour that the clocks of a night show twice is the one that fits the length.
  const [first] = starts
    .map((startedAt) => {
      const after =
        lasting === undefined ? undefined : new Date(startedAt.getTime() + Math.round(lasting * MS_PER_HUNDREDTH));
      const completedAt = isDayOnly ? (after ?? startedAt) : hasEnd ? readEnd(row, start, startedAt, after) : after;
      const beside = completedAt && after ? Math.abs(completedAt.getTime() - after.getTime()) : 0;
      return { startedAt, completedAt, beside };
    })
    .toSorted((a, b) => a.beside - b.beside);
  if (!first) return undefined;
  const { startedAt, completedAt } = first;
  refuseOdd(row, start, startedAt, completedAt);
  if (!completedAt) return undefined;
  const length = completedAt.getTime() - startedAt.getTime();
  return {
    startedAt,
    completedAt,
    untimed: isDayOnly ? { day: startedAt.getTime(), length } : null,
    endedWithin: isDayOnly ? null : hasEnd ? 60_000 : written === undefined ? null : TENTH_OF_AN_HOUR_MS,
    lengths: [
      ...(hasEnd ? [{ field: 'end', hundredths: Math.round(length / MS_PER_HUNDREDTH) } as const] : []),
      ...(written === undefined ? [] : [{ field: 'hours', hundredths: written } as const]),
    ],
  };
}

type WrittenMoment = ParsedMoment & { field: string };

/** From a column of times and one of days, or from one that has both. */
function readMoment(row: RowReader, field: string, dayField: string): WrittenMoment | undefined {
  const day = row.parsed(dayField, parseMoment);
  if (row.isEmpty(field)) {
    if (day) return { ...day, field: dayField };
    row.required(row.has(dayField) ? dayField : field);
    return undefined;
  }
  if (!day && !row.isEmpty(dayField)) return undefined;
  const time = row.parsed(field, (text, formats) => readTime(text, formats, day));
  if (time && time.day !== '') return { ...time, field };
  if (time) row.required(dayField);
  return undefined;
}

/** A clock time of that day, or a day with its time. */
function readTime(text: string, formats: ImportFormats, day?: ParsedMoment): ParsedMoment {
  if (/\d[-./]\d{1,2}[-./]\d|\d{4}-\d{2}|\p{L}{3}.*\d{2,4}.*[:h]|^\d{1,2}.{1,2}\p{L}{3}/u.test(text))
    return parseMoment(text, formats);
  const [, clock = text, zone] = /^(.*?)\s*(z|utc)$/i.exec(text) ?? [];
  return { day: day?.day ?? '', clock: parseClock(clock), zone: zone ? 'Z' : null };
}

function readEnd(row: RowReader, start: WrittenMoment, startedAt: Date, after?: Date): Date | undefined {
  const day = row.parsed('endDate', parseMoment);
  const onDay = day ?? { ...start, clock: null, zone: null };
  const time = row.isEmpty('end')
    ? onDay
    : row.parsed('end', (text, formats) => readTime(text.replace(PAST_MIDNIGHT, intoDay), formats, onDay));
  if (!time) return undefined;
  if (time.clock === null) return after;
  const field = row.isEmpty('end') ? 'endDate' : 'end';
  const instants = row.instants(field, time);
  const beside = (instant: Date) => Math.abs(instant.getTime() - (after ?? startedAt).getTime());
  const [end = instants.at(-1)] = instants
    .filter((instant) => instant >= startedAt)
    .toSorted((a, b) => beside(a) - beside(b));
  const isDayWritten = day !== undefined || time.day !== start.day;
  if (!end || end >= startedAt || isDayWritten || /\d[-./]\d{1,2}[-./]\d/.test(row.text('end'))) return end;
  if (end.getTime() + MS_PER_DAY - startedAt.getTime() > (LONGEST_NIGHT_HOURS + 1) * MS_PER_HOUR) return end;
  // By the calendar, since the night on which clocks are set has 23 hours or 25.
  const [next = end] = row.instants(field, { ...time, day: dayAfter(time.day) });
  return next.getTime() - startedAt.getTime() <= LONGEST_NIGHT_HOURS * MS_PER_HOUR ? next : end;
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00Z`) + MS_PER_DAY).toISOString().slice(0, 10);
}

/** '24:00' and '25:10', as spreadsheets add hours to a time. */
const PAST_MIDNIGHT = /^(?:2[4-9]|3\d)(?=[:h]\d{2})/;
const intoDay = (hours: string) => String(Number(hours) - 24).padStart(2, '0');

function refuseOdd(row: RowReader, start: WrittenMoment, startedAt: Date, completedAt?: Date): void {
  const { field, day, clock } = start;
  if (startedAt.getUTCFullYear() < MIN_IMPORTED_YEAR) row.refuse(field, `${day} is before ${MIN_IMPORTED_YEAR}.`);
  const earliest = startedAt.getTime() - (clock === null ? UNTIMED_DAY_SPAN_MS.before : 0);
  if (earliest > row.now.getTime()) row.refuse(field, `${day} is in the future.`);
  if (!completedAt) return;
  const ends = ['end', 'endDate', 'hours'].find((name) => !row.isEmpty(name)) ?? field;
  if (completedAt < startedAt) row.refuse(ends, 'This flight ends before it starts.');
  else if (clock !== null && completedAt > row.now) row.refuse(ends, 'This flight ends in the future.');
}

/** When it departed and landed, where that is not when it started and ended. */
export function readBlockTimes(
  row: RowReader,
  flight: Pick<FlightRecord, 'startedAt' | 'completedAt'>,
): Pick<FlightRecord, 'departedAt' | 'landedAt'> {
  const departedAt = readInstant(row, 'departed', flight.startedAt);
  const landedAt = readInstant(row, 'landed', flight.completedAt);
  if (!departedAt && !landedAt) return { departedAt, landedAt };
  const [departed, landed] = [departedAt ?? flight.startedAt, landedAt ?? flight.completedAt];
  const earliest = flight.startedAt.getTime() - MAX_DEPARTURE_BEFORE_CHECK_OUT_HOURS * MS_PER_HOUR;
  const latest = flight.completedAt.getTime() + MAX_CLOCK_SKEW_MINUTES * 60_000;
  if (departed.getTime() < earliest)
    row.refuse('departed', `This is more than ${MAX_DEPARTURE_BEFORE_CHECK_OUT_HOURS} h before the start.`);
  if (landed.getTime() > latest) row.refuse('landed', 'This flight lands after its end.');
  else if (landed < departed) row.refuse(departedAt ? 'departed' : 'landed', 'This flight lands before it departs.');
  return { departedAt, landedAt };
}

function readInstant(row: RowReader, field: string, usual: Date): Date | null | undefined {
  const moment = row.parsed(field, parseMoment);
  if (!moment || moment.clock === null) return undefined;
  const instants = row.instants(field, moment);
  const [first] = instants;
  return instants.some((instant) => instant.getTime() === usual.getTime()) ? null : (first ?? null);
}
