import { METER_CHANGE_REASONS, type MeterType } from '#db/tables.ts';
import type { ImportedMeterChanges } from '../records.ts';
import { parseMeterReading } from './decimals.ts';
import { ValueProblem } from './value-problem.ts';

/** As our own files write readings in texts, whatever language the columns are in. */
const FORMATS = { decimals: 'point', dates: 'ymd', units: {} } as const;

const CHANGE = /^(hobbs|tach) (.+) ([\d.]+) to ([\d.]+)$/i;

/** 'Hobbs rolled over 9999.9 to 0.0; tach replaced 988.6 to 0.0' */
export function parseMeterChanges(text: string): ImportedMeterChanges {
  const changes: ImportedMeterChanges = {};
  for (const part of text.split(';')) {
    const [, name = '', words = '', oldLast = '', newFirst = ''] = CHANGE.exec(part.trim()) ?? [];
    const reason = METER_CHANGE_REASONS.find((known) => known === words.toLowerCase());
    const meter = toMeterType(name);
    if (!reason || changes[meter])
      throw new ValueProblem(`"${text}" is no change of a meter, as 'Hobbs replaced 9876.5 to 0.0' is.`);
    const [last, first] = [oldLast, newFirst].map((reading) => parseMeterReading(reading, FORMATS));
    changes[meter] = { oldLast: last ?? '', newFirst: first ?? '', reason };
  }
  return changes;
}

/** Takes the word that our own files have for it. */
export function toMeterType(name: string): MeterType {
  return name.toLowerCase() === 'hobbs' ? 'hobbs' : 'tachometer';
}
