import { METER_CHANGE_REASONS, type MeterType, READING_FLAG_KINDS, type ReadingFlag } from '#db/tables.ts';
import { flownHundredths } from '../../readings/meters.ts';
import { toHundredths } from '../../reading.ts';
import type { Meter } from '../reading/fields.ts';
import type { ImportedMeterChange, ImportedMeterChanges } from '../records.ts';
import { parseHundredths, parseMeterReading, formatReadingOfHundredths } from './decimals.ts';
import type { RowReader } from './row-reader.ts';
import { ValueProblemError } from './value-problem.ts';

export interface MeterOfFlight {
  start: string;
  end: string;
  /** Flown, in hundredths of an hour; as the readings say, and as it is written beside them. */
  hundredths: number;
  written?: number;
  hoursField: string;
}

/** Both readings; the end may follow from the hours. */
export function readFlightMeter(
  row: RowReader,
  meter: Meter,
  changes: ImportedMeterChanges | undefined,
): MeterOfFlight | undefined {
  const change = changes?.[meter.type];
  const written = row.parsed(meter.hours, parseHundredths);
  const [first, last] = [meter.start, meter.end].map((field) => row.parsed(field, parseMeterReading));
  const start = first ?? (row.isEmpty(meter.start) ? other(last, written, change, -1) : undefined);
  const end = last ?? (row.isEmpty(meter.end) ? other(first, written, change, 1) : undefined);
  if (start === undefined && row.isEmpty(meter.start))
    row.refuse(meter.start, row.isEmpty(meter.end) ? 'This is empty.' : NO_START);
  const refuse = (message: string) => row.refuse(row.has(meter.end) ? meter.end : meter.hours, message);
  if (start === undefined || end === undefined) {
    if (row.isEmpty(meter.end) && row.isEmpty(meter.hours)) refuse('This is empty.');
    return undefined;
  }
  const hundredths = flownHundredths(start, end, change);
  const problem = change ? problemOfChange(start, end, change) : undefined;
  if (hundredths > 0 && problem === undefined) return { start, end, hundredths, written, hoursField: meter.hours };
  refuse(
    problem ??
      `The end reading ${end} is not above the start reading ${start}. If the meter was changed in this flight, say so in a column 'Meter changes', as '${meter.name} replaced 9876.5 to 0.0' or '${meter.name} rolled over 9999.9 to 0.0'.`,
  );
  return undefined;
}

/** Returns the reading at the other end of a flight of so many hours. */
function other(
  reading: string | undefined,
  hours: number | undefined,
  change: ImportedMeterChange | undefined,
  way: 1 | -1,
): string | undefined {
  if (reading === undefined || hours === undefined || change) return undefined;
  const hundredths = toHundredths(reading) + way * hours;
  return hundredths < 0 ? undefined : formatReadingOfHundredths(hundredths);
}

const NO_START =
  'No reading at the start is known: neither is one written, nor did a flight of this aircraft end below the one at the end. Write it into a column of the file.';

function problemOfChange(start: string, end: string, { oldLast, newFirst }: ImportedMeterChange): string | undefined {
  if (toHundredths(oldLast) < toHundredths(start))
    return `The changed meter ended at ${oldLast}, below the start reading ${start}.`;
  if (toHundredths(end) < toHundredths(newFirst))
    return `The end reading ${end} is below ${newFirst}, with which the changed meter began.`;
  return undefined;
}

/** As our own files write readings in texts, whatever language the columns are in. */
const FORMATS = { decimals: 'point', dates: 'ymd', units: {}, years: {} } as const;

const CHANGE = /^(hobbs|tach) (.+?) ([\d.]+) to ([\d.]+)(?: \((.*)\))?$/is;
const NEXT_CHANGE = /;(?=\s*(?:hobbs|tach) (?:replaced|rolled over) [\d.]+ to )/i;

export function parseMeterChanges(text: string): ImportedMeterChanges {
  const changes: ImportedMeterChanges = {};
  for (const part of text.split(NEXT_CHANGE)) {
    const [, name = '', words = '', oldLast = '', newFirst = '', remark = ''] = CHANGE.exec(part.trim()) ?? [];
    const reason = METER_CHANGE_REASONS.find((known) => known === words.toLowerCase());
    const meter = toMeterType(name);
    if (!reason || changes[meter])
      throw new ValueProblemError(`"${text}" is no change of a meter, as 'Hobbs replaced 9876.5 to 0.0' is.`);
    const [last, first] = [oldLast, newFirst].map((reading) => parseMeterReading(reading, FORMATS));
    changes[meter] = { oldLast: last ?? '', newFirst: first ?? '', reason, remark };
  }
  return changes;
}

const FLAG = /^(hobbs|tach) (end )?(.+) ([\d.]+)$/i;

type Readings = Record<MeterType, Pick<MeterOfFlight, 'start' | 'end'>>;

/** 'Hobbs below 1234.5; tach end slip 988.6', of the readings as they stand. */
export function readReadingFlags(row: RowReader, readings: Readings): ReadingFlag[] | undefined {
  return row.parsed('readingFlags', (text) => text.split(';').map((part) => parseFlag(part.trim(), readings)));
}

function parseFlag(text: string, readings: Readings): ReadingFlag {
  const [, name = '', isEnd, words = '', last = ''] = FLAG.exec(text) ?? [];
  const kind = READING_FLAG_KINDS.find((known) => known === words.toLowerCase());
  if (!kind) throw new ValueProblemError(`"${text}" is no flag of a reading, as 'Hobbs below 1234.5' is.`);
  const meter = toMeterType(name);
  const at = isEnd ? 'end' : 'start';
  return { meter, at, kind, reading: readings[meter][at], last: parseMeterReading(last, FORMATS) };
}

/** By the word that our own files have for it. */
function toMeterType(name: string): MeterType {
  return name.toLowerCase() === 'hobbs' ? 'hobbs' : 'tachometer';
}
