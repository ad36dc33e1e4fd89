import type { Db, Trx } from '#db/connect.server.ts';
import type { FlightRow } from '../flight-row.server.ts';
import type { CorrectionInput } from '../amendment-schema.server.ts';

export interface FuelValues {
  /** Null: not stored yet. */
  id: number | null;
  refueled: boolean;
  oil_added: boolean;
  oil_quantity: string | null;
  notes: string;
  hasReceipt: boolean;
}

/** Finds the fuel records in the order in which they were entered. */
export async function findFuelValues(db: Db | Trx, { school_id, id }: FlightRow): Promise<FuelValues[]> {
  const rows = await db
    .selectFrom('fuel_records')
    .select(['id', 'refueled', 'oil_added', 'oil_quantity', 'notes', 'receipt_photo_id'])
    .where('school_id', '=', school_id)
    .where('flight_log_id', '=', id)
    .orderBy('id')
    .execute();
  return rows.map(({ receipt_photo_id, ...row }) => ({ ...row, hasReceipt: receipt_photo_id !== null }));
}

/** The records as given, each in place of the stored one; one that is gone is emptied where it has a receipt. */
export function toFuelValues(given: CorrectionInput['fuelRecords'], stored: FuelValues[]): FuelValues[] {
  const records = (given ?? []).map((record, at) => ({
    id: stored[at]?.id ?? null,
    refueled: record.refueled ?? false,
    oil_added: record.oilAdded ?? false,
    oil_quantity: record.oilAdded && record.oilQuantity != null ? record.oilQuantity.toFixed(1) : null,
    notes: record.notes ?? '',
    hasReceipt: stored[at]?.hasReceipt ?? false,
  }));
  const emptied = stored.slice(records.length).filter(({ hasReceipt }) => hasReceipt);
  const none = { refueled: false, oil_added: false, oil_quantity: null, notes: '' };
  return [...records, ...emptied.map((record) => ({ ...record, ...none }))];
}

/** 'Refueled (12 gal), oil 1.5 quarts; oil'; '' for none. */
export function fuelText(records: FuelValues[]): string {
  return records.map(recordText).join('; ');
}

function recordText({ refueled, oil_added, oil_quantity, notes, hasReceipt }: FuelValues): string {
  const parts = [
    refueled && 'refueled',
    oil_added && (oil_quantity === null ? 'oil added' : `oil ${oil_quantity} quarts`),
    notes && `(${notes})`,
    hasReceipt && 'receipt',
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : 'nothing';
}

/** Writes the records of a correction in place of those that were there. */
export async function writeFuelValues(trx: Trx, log: FlightRow, records: FuelValues[]): Promise<void> {
  const kept = records.flatMap(({ id }) => (id === null ? [] : [id]));
  await trx
    .deleteFrom('fuel_records')
    .where('school_id', '=', log.school_id)
    .where('flight_log_id', '=', log.id)
    .$if(kept.length > 0, (query) => query.where('id', 'not in', kept))
    .execute();
  for (const { id, hasReceipt: _stays, ...values } of records) {
    const owned = { school_id: log.school_id, flight_log_id: log.id };
    await (id === null
      ? trx
          .insertInto('fuel_records')
          .values({ ...owned, ...values, receipt_photo_id: null })
          .execute()
      : trx
          .updateTable('fuel_records')
          .set(values)
          .where('school_id', '=', log.school_id)
          .where('id', '=', id)
          .execute());
  }
}
