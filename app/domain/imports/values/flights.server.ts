import { MAX_OIL_QUARTS } from '#app/limits.ts';
import { GROUND_SCHOOL_TIMES } from '../../flights/schema.server.ts';
import { toHundredths } from '../../reading.ts';
import type { FlightRecord, ImportFormats } from '../records.ts';
import { parseClock } from './clock.ts';
import { parseDecimal, parseHundredths, parseMeterReading, readingOf } from './decimals.ts';
import { readTailNumber } from './fleet.server.ts';
import { orderDay, readTimes } from './flight-times.server.ts';
import { isNobody, parseFlag, unfinishedText } from './known-words.ts';
import type { RowReader } from './row-reader.ts';
import { personTextSchema } from './squawks.server.ts';
import { ValueProblem } from './value-problem.ts';

const QUARTS_OF_LITER = 1.05669;

export function flightParser() {
  const days = new Map<string, FlightRecord[]>();
  return {
    parse(row: RowReader): FlightRecord | undefined {
      const flight = parseFlight(row);
      if (!flight) return undefined;
      const { isDayOnly, ...record } = flight;
      const day = `${record.tailNumber} ${record.startedAt.getTime()}`;
      if (isDayOnly && !row.isRefused) days.set(day, [...(days.get(day) ?? []), record]);
      return record;
    },
    finish: () => [...days.values()].forEach(orderDay),
  };
}

function parseFlight(row: RowReader): (FlightRecord & { isDayOnly: boolean }) | undefined {
  const unfinished = unfinishedText(row.text('status'));
  if (unfinished) {
    row.refuse('status', unfinished);
    return undefined;
  }
  const tailNumber = readTailNumber(row);
  row.required('pilot');
  const pilot = row.checked('pilot', personTextSchema);
  const hobbs = readMeter(row, 'startHobbs', 'endHobbs', 'hobbsHours');
  const tach = readMeter(row, 'startTach', 'endTach', 'tachHours');
  const times = readTimes(row, hobbs ? toHundredths(hobbs.end) - toHundredths(hobbs.start) : undefined);
  const rest = {
    ...readInstruction(row),
    ...readSupplies(row),
    notes: row.text('notes'),
    sourceId: readSourceId(row),
  };
  if (tailNumber === undefined || pilot === undefined || !hobbs || !tach || !times) return undefined;
  return {
    row: row.row,
    tailNumber,
    pilot,
    ...times,
    startHobbs: hobbs.start,
    endHobbs: hobbs.end,
    startTach: tach.start,
    endTach: tach.end,
    ...rest,
  };
}

function readSourceId(row: RowReader): string | null {
  return row.checked('sourceId', personTextSchema) || null;
}

/** Both readings; the end may follow from the hours. */
function readMeter(row: RowReader, startField: string, endField: string, hoursField: string) {
  row.required(startField);
  const start = row.parsed(startField, parseMeterReading);
  const end =
    row.parsed(endField, parseMeterReading) ?? (row.isEmpty(endField) ? endOf(row, start, hoursField) : undefined);
  if (start === undefined || end === undefined) {
    if (row.isEmpty(endField) && row.isEmpty(hoursField))
      row.refuse(row.has(endField) ? endField : hoursField, 'This is empty.');
    return undefined;
  }
  if (toHundredths(end) > toHundredths(start)) return { start, end };
  row.refuse(
    row.has(endField) ? endField : hoursField,
    `The end reading ${end} is not above the start reading ${start}.`,
  );
  return undefined;
}

function endOf(row: RowReader, start: string | undefined, hoursField: string): string | undefined {
  const hours = row.parsed(hoursField, parseHundredths);
  return start === undefined || hours === undefined ? undefined : readingOf(toHundredths(start) + hours);
}

function readInstruction(row: RowReader) {
  const text = row.checked('instructor', personTextSchema) ?? '';
  const instructor = isNobody(text) ? null : text;
  const instructorTimeIn = row.parsed('instructorTimeIn', toMinute) ?? null;
  const instructorTimeOut = row.parsed('instructorTimeOut', toMinute) ?? null;
  if (instructor === null && (instructorTimeIn ?? instructorTimeOut) !== null) {
    row.refuse(
      instructorTimeIn === null ? 'instructorTimeOut' : 'instructorTimeIn',
      'There is no instructor for this time.',
    );
  }
  const groundSchoolTime = row.parsed('groundSchoolTime', parseGroundSchool) ?? '0';
  return { instructor, instructorTimeIn, instructorTimeOut, groundSchoolTime };
}

function toMinute(text: string): string {
  return parseClock(text).slice(0, 5);
}

function parseGroundSchool(text: string, formats: ImportFormats): string {
  const hours = String(parseHundredths(text, formats) / 100);
  if (GROUND_SCHOOL_TIMES.includes(hours)) return hours;
  throw new ValueProblem(
    `"${text}" is no ground school time: quarters of an hour, up to ${GROUND_SCHOOL_TIMES.at(-1)} hours.`,
  );
}

function readSupplies(row: RowReader): Pick<FlightRecord, 'oilQuarts' | 'refueled'> {
  const refueled = row.parsed('refueled', parseFlag) ?? false;
  const isInLiters = /\bl\b|lit(er|re|ro)/i.test(row.heading('oilQuarts') ?? '');
  const oil = row.parsed('oilQuarts', parseDecimal);
  const quarts = Math.round(Number(oil ?? 0) * (isInLiters ? QUARTS_OF_LITER : 1) * 10) / 10;
  if (quarts < 0 || quarts > MAX_OIL_QUARTS) row.refuse('oilQuarts', `"${oil}" cannot be.`);
  return { refueled, oilQuarts: quarts > 0 ? quarts.toFixed(1) : null };
}
