import { MS_PER_DAY } from '#app/limits.ts';
import { GROUND_SCHOOL_CHOICES_HOURS } from '../../flights/schema.server.ts';
import { toHundredths } from '../../reading.ts';
import type { ImportKind } from '../records.ts';
import { isYearless, tryParseClock, tryParseDay, withYear } from '../values/moments.ts';
import { parseStrictDecimal } from '../values/decimals.ts';
import { unknownWords } from '../values/known-words.ts';
import { type Answers, DATE_ORDERS, type DateOrder, DECIMAL_SIGNS, type DecimalSign, type Unit } from './answers.ts';
import { makeReasonNoter, type QuestionReasons } from './ask-for-values.ts';
import { type Ballot, TextBallot } from './ballot.ts';
import { LengthBallot, ReadingBallot } from './find-units.ts';
import type { FieldType } from './cell-shapes.ts';
import { FIELDS, type Meter, METERS } from './fields.ts';
import type { ColumnIndexes } from './find-columns.ts';
import type { FileTable } from './find-file-tables.ts';
import { forEachRecord } from './find-records.ts';

/** How each open end of a file was held against its cells. */
export interface FormatBallots {
  dates: TextBallot<DateOrder>;
  decimals: TextBallot<DecimalSign>;
  units: { field: string; ballot: Ballot<Unit> }[];
  signs: QuestionReasons;
  /** Words of fields that have few, and which nobody has explained; with how often each stands. */
  unknown: { field: string; word: string; count: number }[];
}

/** A column of more words than that is of something else. */
const MAX_WORDS_ASKED = 30;

/** Holds all cells of a table against the ways in which they can be read. */
export async function collectFormatBallots(
  kind: ImportKind,
  part: FileTable,
  places: ColumnIndexes,
  answers: Answers,
): Promise<FormatBallots> {
  const { values = {}, words = {} } = answers;
  // Inspections lie ahead, and the ends of memberships may; nothing else does by more than the difference of time zones.
  const latest =
    kind === 'inspections' || kind === 'people' ? '9999' : new Date(Date.now() + MS_PER_DAY).toISOString().slice(0, 10);
  const [dates, decimals] = [dateBallot(latest, values.year), decimalBallot()];
  const fieldsOf = (...types: FieldType[]) =>
    FIELDS[kind].flatMap(({ name, type }) => (name in places && types.includes(type) ? [name] : []));
  const [dayFields, dateFields] = [fieldsOf('date', 'moment', 'datetime'), fieldsOf('date')];
  const numberFields = fieldsOf('number', 'duration');
  const wordFields = kind === 'people' ? ['role', 'status'] : [];
  const counts = new Map<string, FormatBallots['unknown'][number]>();
  const signs: QuestionReasons = {};
  const noteSign = makeReasonNoter(signs, part, places, values);
  await forEachRecord(part, places, (cellOf, row) => {
    for (const field of dayFields) {
      const cell = { row, text: cellOf(field) };
      const isWithoutYear = isYearless(cell.text);
      // Beside times of a day '9.05' is one.
      if (isWithoutYear && !dateFields.includes(field)) continue;
      if (isWithoutYear) signs.yearless ??= cell;
      if (/\d\D+\d/.test(cell.text)) dates.hold(cell);
    }
    for (const field of numberFields) decimals.hold({ row, text: cellOf(field) });
    for (const field of wordFields)
      for (const word of unknownWords(field, cellOf(field))) {
        const { count = 0 } = counts.get(`${field} ${word}`) ?? {};
        if (words[field]?.[word] === undefined) counts.set(`${field} ${word}`, { field, word, count: count + 1 });
      }
    noteSign(cellOf, row);
  });
  const units = await holdUnits(part, places, answers.decimals ?? decimals.proven ?? 'point');
  const unknown = [...counts.values()].slice(0, MAX_WORDS_ASKED);
  return { dates, decimals, units, signs, unknown };
}

const CLOCK = /[T\s,]+\d{1,2}[:h.]\d{2}(?![.\d]).*$/;

/** Days against the orders in which they can be written; a day after `latest` ('YYYY-MM-DD') is none. */
function dateBallot(latest: string, year?: string): TextBallot<DateOrder> {
  return new TextBallot(DATE_ORDERS, (text, order) => {
    // Without a year only day and month have an order.
    if (order === 'ymd' && isYearless(text)) return undefined;
    const written = text.replace(CLOCK, '');
    const day = year === undefined ? written : withYear(written, year, order);
    // With points nobody writes the month first.
    if (order === 'mdy' && /^\d{1,2}\.\s?\d/.test(written)) return undefined;
    const read = tryParseDay(day, order);
    return read !== undefined && read <= latest ? read : undefined;
  });
}

/** Readings and hours against both signs: they have two decimals at most, so that '1.234' is more than a thousand. */
function decimalBallot(): TextBallot<DecimalSign> {
  return new TextBallot(DECIMAL_SIGNS, (text, sign) => {
    const number = /\d[.,]\d/.test(text) ? parseStrictDecimal(text, sign) : undefined;
    return number === undefined || /\.\d{3}/.test(number) ? undefined : number;
  });
}

const isGroundSchool = (hundredths: number) => GROUND_SCHOOL_CHOICES_HOURS.includes(String(hundredths / 100));

async function holdUnits(part: FileTable, places: ColumnIndexes, sign: DecimalSign): Promise<FormatBallots['units']> {
  const headingAt = (field: string) => ({ row: 0, text: part.header[places[field] ?? -1] ?? '' });
  const [hobbs, tach] = METERS;
  const ofMeters = METERS.map((meter) => ({
    ...{ meter, field: meter.start, ballot: new ReadingBallot(headingAt(meter.start)) },
  }));
  const lengths = ['hours', hobbs.hours, tach.hours];
  const ofLengths = lengths.map((field) => ({ field, ballot: new LengthBallot(headingAt(field)) }));
  const ground = new LengthBallot(headingAt('groundSchoolTime'), isGroundSchool);
  await forEachRecord(part, places, (cellOf, row) => {
    ground.hold({ row, text: cellOf('groundSchoolTime') }, sign, null);
    const byClock = clockLength(cellOf('start'), cellOf('end'));
    const flown = (meter: Meter) => flownOf(cellOf(meter.start), cellOf(meter.end), sign);
    for (const { meter, ballot } of ofMeters) {
      const reference = byClock ?? flown(meter === hobbs ? tach : hobbs);
      ballot.hold({ row, text: cellOf(meter.start) }, cellOf(meter.end), sign, reference);
    }
    for (const { field, ballot } of ofLengths)
      ballot.hold({ row, text: cellOf(field) }, sign, flown(hobbs) ?? byClock ?? flown(tach));
  });
  return [...ofMeters, ...ofLengths, { field: 'groundSchoolTime', ballot: ground }];
}

/** Returns hundredths of an hour from one clock time to the next; null where either is not written. */
function clockLength(start: string, end: string): number | null {
  const [from = NaN, to = NaN] = [start, end].map((text) => {
    const clock = tryParseClock(text.replace(/^.*\d[T ]+(?=\d{1,2}[:h]\d{2})/, ''));
    const [hours = NaN, minutes = NaN] = clock?.split(':').map(Number) ?? [];
    return hours * 60 + minutes;
  });
  const length = (to - from + 1440) % 1440;
  return length > 0 ? Math.round((length / 60) * 100) : null;
}

/** Returns the hundredths that readings with a point say were flown; null where they could stand for something else. */
function flownOf(start: string, end: string, sign: DecimalSign): number | null {
  const [first, last] = [parseStrictDecimal(start, sign), parseStrictDecimal(end, sign)];
  if (first === undefined || last === undefined || !`${first}${last}`.includes('.')) return null;
  const flown = toHundredths(last) - toHundredths(first);
  return flown > 0 ? flown : null;
}
