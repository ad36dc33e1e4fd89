import { MAX_OIL_QUARTS, MAX_TACH_PER_HOBBS, MIN_TACH_PER_HOBBS } from '#app/limits.ts';
import { fromHundredths } from '../../reading.ts';
import { GROUND_SCHOOL_CHOICES_HOURS } from '../../flights/schema.server.ts';
import { readTailNumber } from '../kinds/fleet.server.ts';
import { personTextSchema } from '../kinds/squawks.server.ts';
import type { Unit, ImportFormats } from '../reading/answers.ts';
import { METERS } from '../reading/fields.ts';
import { isNearHundredths } from '../reading/find-units.ts';
import { oilUnitOf } from '../reading/heading-words.ts';
import type { FlightRecord } from '../records.ts';
import { parseDecimal, parseHundredths } from './decimals.ts';
import { readBlockTimes, readFlightTimes, type ParsedFlightTimes } from './flight-times.server.ts';
import { isNobody, parseFlag, unfinishedFlightRefusalText } from './known-words.ts';
import { parseClock } from './moments.ts';
import { type MeterOfFlight, parseMeterChanges, readFlightMeter, readReadingFlags } from './meter-readings.server.ts';
import type { RowReader } from './row-reader.ts';
import { ValueProblemError } from './value-problem.ts';

/** Hours and both readings may each be rounded to tenths. */
const ROUNDED = 10;
const QUARTS_OF_LITER = 1.05669;

export function parseFlight(row: RowReader): FlightRecord | undefined {
  const unfinished = unfinishedFlightRefusalText(row.text('status'), row.text('cancelled'));
  if (unfinished) {
    row.refuse(row.isEmpty('cancelled') ? 'status' : 'cancelled', unfinished);
    return undefined;
  }
  const tailNumber = readTailNumber(row);
  row.required('pilot');
  const pilot = row.checked('pilot', personTextSchema);
  const meterChanges = row.parsed('meterChanges', parseMeterChanges);
  const [hobbs, tach] = METERS.map((meter) => readFlightMeter(row, meter, meterChanges));
  const times = readFlightTimes(row, hobbs?.hundredths);
  const instruction = readInstruction(row);
  const supplies = readSupplies(row);
  const notes = row.text('notes');
  const sourceId = row.checked('id', personTextSchema) || null;
  if (tailNumber === undefined || pilot === undefined || !hobbs || !tach || !times) return undefined;
  const { departedAt, landedAt } = readBlockTimes(row, times);
  // Without spreads, which leave three times its size behind.
  return {
    row: row.row,
    sourceId,
    tailNumber,
    pilot,
    instructor: instruction.instructor,
    startedAt: times.startedAt,
    completedAt: times.completedAt,
    untimed: times.untimed,
    endedWithin: times.endedWithin,
    departedAt,
    landedAt,
    startHobbs: hobbs.start,
    endHobbs: hobbs.end,
    startTach: tach.start,
    endTach: tach.end,
    meterChanges,
    readingFlags: readReadingFlags(row, { hobbs, tachometer: tach }),
    instructorTimeIn: instruction.instructorTimeIn,
    instructorTimeOut: instruction.instructorTimeOut,
    groundSchoolTime: instruction.groundSchoolTime,
    oilQuarts: supplies.oilQuarts,
    refueled: supplies.refueled,
    fuelNotes: supplies.fuelNotes,
    notes,
    doubts: doubtsOf(row, hobbs, tach, times),
  };
}

/** A length that is far from what the meter counted, a tach far from the Hobbs, and hours that their readings contradict. */
function doubtsOf(
  row: RowReader,
  hobbs: MeterOfFlight,
  tach: MeterOfFlight,
  { lengths }: ParsedFlightTimes,
): FlightRecord['doubts'] {
  const hours = (hundredths: number) => `${fromHundredths(hundredths)} h`;
  const doubts: FlightRecord['doubts'] = [];
  const doubt = (isOdd: boolean, field: string, message: string) => {
    if (isOdd) doubts.push({ field, message });
  };
  // Flights of our own files were held against each other at their check-in.
  if (row.has('readingFlags')) return doubts;
  const counted = `Hobbs counts ${hours(hobbs.hundredths)}`;
  for (const { field, hundredths } of lengths)
    doubt(
      !isNearHundredths(hundredths, hobbs.hundredths),
      field,
      `The flight lasts ${hours(hundredths)}, and ${counted}.`,
    );
  for (const { hoursField, written = NaN, start, end, hundredths } of [hobbs, tach]) {
    const message = `${hours(written)} are written, and ${start} to ${end} are ${hours(hundredths)}.`;
    doubt(Math.abs(written - hundredths) > ROUNDED, hoursField, message);
  }
  const ratio = tach.hundredths / hobbs.hundredths;
  const isOdd = ratio > MAX_TACH_PER_HOBBS || ratio < MIN_TACH_PER_HOBBS;
  const isFar = Math.abs(tach.hundredths - hobbs.hundredths) > 25;
  doubt(isOdd && isFar, 'endTach', `Tach counts ${hours(tach.hundredths)}, and Hobbs ${hours(hobbs.hundredths)}.`);
  return doubts;
}

function readInstruction(row: RowReader) {
  const text = row.checked('instructor', personTextSchema) || undefined;
  const instructor = text !== undefined && isNobody(text) ? null : text;
  const instructorTimeIn = row.parsed('instructorTimeIn', toMinute);
  const instructorTimeOut = row.parsed('instructorTimeOut', toMinute);
  if (!instructor && (instructorTimeIn ?? instructorTimeOut) !== undefined)
    row.refuse(instructorTimeIn ? 'instructorTimeIn' : 'instructorTimeOut', 'There is no instructor for this time.');
  const groundSchoolTime = row.parsed('groundSchoolTime', parseGroundSchool);
  return { instructor, instructorTimeIn, instructorTimeOut, groundSchoolTime };
}

function toMinute(text: string): string {
  return parseClock(text).slice(0, 5);
}

function parseGroundSchool(text: string, formats: ImportFormats, unit?: Unit): string {
  const hours = String(parseHundredths(text, formats, unit) / 100);
  if (GROUND_SCHOOL_CHOICES_HOURS.includes(hours)) return hours;
  throw new ValueProblemError(
    `"${text}" is no ground school time: quarters of an hour, up to ${GROUND_SCHOOL_CHOICES_HOURS.at(-1)} hours.`,
  );
}

function readSupplies(row: RowReader): Pick<FlightRecord, 'oilQuarts' | 'refueled' | 'fuelNotes'> {
  const refueled = row.parsed('refueled', parseFlag);
  const unit = oilUnitOf(row.text('oil')) ?? oilUnitOf(row.heading('oil') ?? '') ?? row.value('oilUnit');
  const oil = row.parsed('oil', parseDecimal);
  const quarts = Math.round(Number(oil ?? 0) * (unit === 'liters' ? QUARTS_OF_LITER : 1) * 10) / 10;
  if (quarts < 0 || quarts > MAX_OIL_QUARTS) row.refuse('oil', `"${oil}" cannot be.`);
  const oilQuarts = oil === undefined ? undefined : quarts > 0 ? quarts.toFixed(1) : null;
  return { refueled, fuelNotes: row.text('fuelNotes') || (refueled ? readFuelNotes(row) : ''), oilQuarts };
}

/** 'Fuel Added (gal): 12.4' */
function readFuelNotes(row: RowReader): string {
  const text = row.text('refueled').trim();
  return /\d/.test(text) && text !== '1' ? `${row.heading('refueled')}: ${text}` : '';
}
