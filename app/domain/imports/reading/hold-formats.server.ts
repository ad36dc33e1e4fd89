import { MS_PER_DAY } from '#app/limits.ts';
import { GROUND_SCHOOL_TIMES } from '../../flights/schema.server.ts';
import type { PackedRow } from '../files/packed-row.ts';
import { toHundredths } from '../../reading.ts';
import type { ImportKind } from '../records.ts';
import { forEachInSlices } from '../slices.ts';
import { readClock } from '../values/clock.ts';
import { isYearless, readDay, withYear } from '../values/days.ts';
import { strictDecimal } from '../values/decimals.ts';
import { type Answers, DATE_ORDERS, type DateOrder, DECIMAL_SIGNS, type DecimalSign, type Unit } from './answers.ts';
import { type Ballot, type Cell, TextBallot } from './ballot.ts';
import { LengthBallot, ReadingBallot } from './find-units.ts';
import type { FieldType } from './cell-shapes.ts';
import { FIELDS, type Meter, METERS } from './fields.ts';
import type { Places } from './find-columns.ts';
import { isNoRecord, type Part } from './find-parts.ts';
import { cellsOf } from './ask-of-rows.ts';

/** How each open end of a file was held against its cells. */
export interface Ballots {
  dates: TextBallot<DateOrder>;
  decimals: TextBallot<DecimalSign>;
  units: { field: string; ballot: Ballot<Unit> }[];
  /** The first day that is written without its year, and the fields that may hold such days. */
  yearless: Cell | undefined;
  dateFields: string[];
}

const DATE_TYPES: readonly FieldType[] = ['date', 'moment', 'datetime'];
const NUMBER_TYPES: readonly FieldType[] = ['number', 'duration'];

/** Holds all cells of a table against the ways in which they can be read. */
export async function holdFormats(
  kind: ImportKind,
  { header, rows: all }: Part,
  places: Places,
  { decimals: sign, values }: Pick<Answers, 'decimals' | 'values'>,
): Promise<Ballots> {
  // Inspections lie ahead, and the ends of memberships may; nothing else does by more than the difference of time zones.
  const latest =
    kind === 'inspections' || kind === 'people' ? '9999' : new Date(Date.now() + MS_PER_DAY).toISOString().slice(0, 10);
  const [dates, decimals] = [dateBallot(latest, values?.year), decimalBallot()];
  const fields = FIELDS[kind].filter(({ name }) => name in places);
  const columnsOf = (types: readonly FieldType[]) =>
    fields.flatMap(({ name, type }) => (types.includes(type) ? (places[name] ?? []) : []));
  const [days, numbers, daysAlone] = [columnsOf(DATE_TYPES), columnsOf(NUMBER_TYPES), columnsOf(['date'])];
  const rows: PackedRow[] = [];
  let yearless: Cell | undefined;
  await forEachInSlices(all, (line) => {
    const { number, cells } = line;
    if (isNoRecord(cells, header, places)) return;
    rows.push(line);
    for (const at of days) {
      const cell = { row: number, text: cells[at] ?? '' };
      const isWithoutYear = isYearless(cell.text);
      // Beside times of a day '9.05' is one.
      if (isWithoutYear && !daysAlone.includes(at)) continue;
      if (isWithoutYear) yearless ??= cell;
      if (/\d\D+\d/.test(cell.text)) dates.hold(cell);
    }
    for (const at of numbers) decimals.hold({ row: number, text: cells[at] ?? '' });
  });
  const units = await holdUnits({ header, rows }, places, sign ?? decimals.proven ?? 'point');
  const dateFields = fields.flatMap(({ name, type }) => (type === 'date' ? [name] : []));
  return { dates, decimals, units, yearless, dateFields };
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
    const read = readDay(day, order);
    return read !== undefined && read <= latest ? read : undefined;
  });
}

/** Readings and hours against both signs: they have two decimals at most, so that '1.234' is more than a thousand. */
function decimalBallot(): TextBallot<DecimalSign> {
  return new TextBallot(DECIMAL_SIGNS, (text, sign) => {
    const number = /\d[.,]\d/.test(text) ? strictDecimal(text, sign) : undefined;
    return number === undefined || /\.\d{3}/.test(number) ? undefined : number;
  });
}

const isGroundSchool = (hundredths: number) => GROUND_SCHOOL_TIMES.includes(String(hundredths / 100));

async function holdUnits({ header, rows }: Pick<Part, 'header' | 'rows'>, places: Places, sign: DecimalSign) {
  const headingAt = (field: string) => ({ row: 0, text: header[places[field] ?? -1] ?? '' });
  const [hobbs, tach] = METERS;
  const ofMeters = METERS.filter(({ start, end }) => start in places && end in places).map((meter) => ({
    ...{ meter, field: meter.start, ballot: new ReadingBallot(headingAt(meter.start)) },
  }));
  const ofLengths = ['hours', hobbs.hours, tach.hours]
    .filter((field) => field in places)
    .map((field) => ({ field, ballot: new LengthBallot(headingAt(field)) }));
  const ground = new LengthBallot(headingAt('groundSchoolTime'), isGroundSchool);
  await forEachInSlices(rows, (line) => {
    const row = line.number;
    const cellOf = cellsOf(line, places);
    const taught = cellOf('groundSchoolTime');
    if (taught !== '') ground.hold({ row, text: taught }, sign, null);
    const byClock = clockLength(cellOf('start'), cellOf('end'));
    const flown = (meter: Meter) => flownOf(cellOf(meter.start), cellOf(meter.end), sign);
    for (const { meter, ballot } of ofMeters) {
      const reference = byClock ?? flown(meter === hobbs ? tach : hobbs);
      const [start, end] = [cellOf(meter.start), cellOf(meter.end)];
      if (start !== '' && end !== '') ballot.hold({ row, start, end, reference }, sign);
    }
    for (const { field, ballot } of ofLengths) {
      const text = cellOf(field);
      if (text !== '') ballot.hold({ row, text }, sign, flown(hobbs) ?? byClock ?? flown(tach));
    }
  });
  return [...ofMeters, ...ofLengths, { field: 'groundSchoolTime', ballot: ground }];
}

/** Returns hundredths of an hour from one clock time to the next; null where either is not written. */
function clockLength(start: string, end: string): number | null {
  const [from, to] = [start, end].map((text) => minutesOf(text.replace(/^.*\d[T ]+(?=\d{1,2}[:h]\d{2})/, '')));
  if (from == null || to == null || from === to) return null;
  return Math.round((((to - from + 1440) % 1440) / 60) * 100);
}

function minutesOf(text: string): number | null {
  const [hours, minutes] = readClock(text)?.split(':') ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
}

/** Returns the hundredths that readings with a point say were flown; null where they could stand for something else. */
function flownOf(start: string, end: string, sign: DecimalSign): number | null {
  const [first, last] = [strictDecimal(start, sign), strictDecimal(end, sign)];
  if (first === undefined || last === undefined || !`${first}${last}`.includes('.')) return null;
  const flown = toHundredths(last) - toHundredths(first);
  return flown > 0 ? flown : null;
}
