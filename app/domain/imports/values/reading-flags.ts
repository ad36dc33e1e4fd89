import { READING_FLAG_KINDS, type ReadingFlag } from '#db/tables.ts';
import type { FlightRecord } from '../records.ts';
import { parseMeterReading } from './decimals.ts';
import { toMeterType } from './meter-changes.ts';
import type { RowReader } from './row-reader.ts';
import { ValueProblem } from './value-problem.ts';

const FORMATS = { decimals: 'point', dates: 'ymd', units: {} } as const;

const FLAG = /^(hobbs|tach) (end )?(.+) ([\d.]+)$/i;

type Readings = Pick<FlightRecord, 'startHobbs' | 'endHobbs' | 'startTach' | 'endTach'>;

/** 'Hobbs below 1234.5; tach end slip 988.6', of the readings as they stand. */
export function readReadingFlags(row: RowReader, readings: Readings): ReadingFlag[] | null {
  return row.parsed('readingFlags', (text) => text.split(';').map((part) => parseFlag(part.trim(), readings))) ?? null;
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
