import type { ReadingFlag } from '#db/tables.ts';
import type { FuelRecord } from './fuel-record-schema.server.ts';

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

export function flagCell(flags: ReadingFlag[]): string {
  return flags.map(({ meter, kind, last }) => `${METER_WORDS[meter]} ${kind} ${last}`).join('; ');
}

const METER_WORDS = { hobbs: 'Hobbs', tachometer: 'tach' };
