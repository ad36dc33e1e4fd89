import type { Trx } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { fingerprint } from '../idempotency.server.ts';
import type { NormalizedPhoto } from '../meters/normalize-photo.server.ts';
import { runPhotoWorkInTurn } from '../turns/queues.server.ts';
import { preparePhoto, storePhoto } from '../meters/photos.server.ts';
import { throwOnField } from '../app-error.ts';
import type { FuelRecordInput } from './fuel-record-schema.server.ts';

/** Prepares one receipt per record, or null. Throws as `runPhotoWorkInTurn` and `preparePhoto` do, beside the field. */
export async function prepareReceipts(pilot: Member, records: FuelRecordInput[]): Promise<(NormalizedPhoto | null)[]> {
  const photos: (NormalizedPhoto | null)[] = [];
  for (const { fuelReceiptImage: image } of records) {
    photos.push(
      image
        ? await runPhotoWorkInTurn(pilot, () => preparePhoto(image)).catch((error: unknown) =>
            throwOnField(error, 'fuelReceiptImage'),
          )
        : null,
    );
  }
  return photos;
}

/** Stores the receipts; returns the photo of each record, or null. */
export async function storeReceipts(
  trx: Trx,
  pilot: Member,
  receipts: (NormalizedPhoto | null)[],
): Promise<(number | null)[]> {
  const photoIds: (number | null)[] = [];
  for (const receipt of receipts) photoIds.push(receipt && (await storePhoto(trx, pilot, receipt)));
  return photoIds;
}

export async function writeFuelRecords(
  trx: Trx,
  pilot: Member,
  flightLogId: number,
  records: FuelRecordInput[],
  photoIds: (number | null)[],
): Promise<void> {
  if (records.length === 0) return;
  await trx
    .insertInto('fuel_records')
    .values(
      records.map((record, index) => ({
        school_id: pilot.schoolId,
        flight_log_id: flightLogId,
        receipt_photo_id: photoIds[index] ?? null,
        ...toFuelColumns(record),
      })),
    )
    .execute();
}

export function toFuelColumns({ refueled, oilAdded, oilQuantity, notes }: Omit<FuelRecordInput, 'fuelReceiptImage'>) {
  return {
    refueled: refueled ?? false,
    oil_added: oilAdded ?? false,
    oil_quantity: oilAdded && oilQuantity != null ? oilQuantity.toFixed(1) : null,
    notes: notes ?? '',
  };
}

/** Replaces photos by hashes, to compare repeated requests. */
export function withReceiptHashes(records: FuelRecordInput[]) {
  return records.map(({ fuelReceiptImage, ...record }) => ({
    ...record,
    receipt: fuelReceiptImage ? fingerprint(fuelReceiptImage) : null,
  }));
}
