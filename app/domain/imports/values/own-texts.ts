import { METER_CHANGE_REASONS, type MeterType, READING_FLAG_KINDS, type ReadingFlag } from '#db/tables.ts';
import type { FlightRecord, ImportedMeterChanges } from '../records.ts';
import { parseMeterReading } from './decimals.ts';
import type { RowReader } from './row-reader.ts';
import { ValueProblem } from './value-problem.ts';

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
      throw new ValueProblem(`"${text}" is no change of a meter, as 'Hobbs replaced 9876.5 to 0.0' is.`);
    const [last, first] = [oldLast, newFirst].map((reading) => parseMeterReading(reading, FORMATS));
    changes[meter] = { oldLast: last ?? '', newFirst: first ?? '', reason, remark };
  }
  return changes;
}

const FLAG = /^(hobbs|tach) (end )?(.+) ([\d.]+)$/i;

type Readings = Pick<FlightRecord, 'startHobbs' | 'endHobbs' | 'startTach' | 'endTach'>;

/** 'Hobbs below 1234.5; tach end slip 988.6', of the readings as they stand. */
export function readReadingFlags(row: RowReader, readings: Readings): ReadingFlag[] | undefined {
  return row.parsed('readingFlags', (text) => text.split(';').map((part) => parseFlag(part.trim(), readings)));
}

function parseFlag(text: string, readings: Readings): ReadingFlag {
  const [, name = '', isEnd, words = '', last = ''] = FLAG.exec(text) ?? [];
  const kind = READING_FLAG_KINDS.find((known) => known === words.toLowerCase());
  if (!kind) throw new ValueProblem(`"${text}" is no flag of a reading, as 'Hobbs below 1234.5' is.`);
  const meter = toMeterType(name);
  const [start, end] =
    meter === 'hobbs' ? [readings.startHobbs, readings.endHobbs] : [readings.startTach, readings.endTach];
  return {
    meter,
    at: isEnd ? 'end' : 'start',
    kind,
    reading: isEnd ? end : start,
    last: parseMeterReading(last, FORMATS),
  };
}

/** By the word that our own files have for it. */
function toMeterType(name: string): MeterType {
  return name.toLowerCase() === 'hobbs' ? 'hobbs' : 'tachometer';
}
