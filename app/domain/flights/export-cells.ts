import type { ReadingFlag } from '#db/tables.ts';
import { METER_WORDS } from '../readings/meters.ts';
import type { FuelRecord } from './fuel-record-schema.server.ts';
import type { MeterChangesOfLog } from './schema.server.ts';

/** Empty while the flight is in progress. */
export function yesNoCell(completed: boolean, yes: boolean): 'y' | 'n' | null {
  if (!completed) return null;
  return yes ? 'y' : 'n';
}

/** Quarts of all records, one decimal; null where none has a quantity. */
export function oilQuartsCell(records: FuelRecord[]): string | null {
  const quantities = records.flatMap(({ oilQuantity }) => oilQuantity ?? []);
  return quantities.length === 0 ? null : quantities.reduce((sum, quarts) => sum + quarts, 0).toFixed(1);
}

/** 'Hobbs below 1234.5; tach end slip 988.6'. */
export function flagCell(flags: ReadingFlag[]): string {
  return flags
    .map(({ meter, at, kind, last }) => `${METER_WORDS[meter]} ${at === 'end' ? 'end ' : ''}${kind} ${last}`)
    .join('; ');
}

/** 'Hobbs rolled over 9999.9 to 0.0'. */
export function meterChangesCell({ hobbs, tach }: MeterChangesOfLog): string {
  const cell = (name: string, change: typeof hobbs) =>
    change ? [`${name} ${change.reason} ${change.oldLast} to ${change.newFirst}`] : [];
  return [...cell('Hobbs', hobbs), ...cell('tach', tach)].join('; ');
}
