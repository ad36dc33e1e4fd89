import type { Db, Trx } from '#db/connect.server.ts';
import type { MeterType } from '#db/tables.ts';
import { findScan } from './queries.server.ts';
import { type Scan, scanIdInputSchema } from './schema.server.ts';

export interface ScanIds {
  hobbs: unknown;
  tach: unknown;
}

/** Finds the scans; null for none, and for one of another school, aircraft or meter. */
export async function findMatchingScans(
  db: Db | Trx,
  schoolId: number | null,
  aircraftId: number,
  { hobbs, tach }: ScanIds,
) {
  const [hobbsScan, tachScan] = await Promise.all([
    findMatchingScan(db, schoolId, aircraftId, 'hobbs', hobbs),
    findMatchingScan(db, schoolId, aircraftId, 'tachometer', tach),
  ]);
  return { hobbs: hobbsScan, tach: tachScan };
}

/** Finds a flight's photos, which connect the readings of its scans with those that the pilot confirmed. */
export async function findPhotoIdsOfScans(trx: Trx, schoolId: number | null, aircraftId: number, ids: ScanIds) {
  const { hobbs, tach } = await findMatchingScans(trx, schoolId, aircraftId, ids);
  return { hobbs: await findScanPhotoId(trx, hobbs), tach: await findScanPhotoId(trx, tach) };
}

async function findMatchingScan(
  db: Db | Trx,
  schoolId: number | null,
  aircraftId: number,
  meterType: MeterType,
  input: unknown,
) {
  const id = scanIdInputSchema.parse(input);
  const scan = id && (await findScan(db, schoolId, id));
  return scan && scan.meterType === meterType && scan.aircraft.id === aircraftId ? scan : null;
}

export type FlightScans = Record<keyof ScanIds, Scan | null>;

async function findScanPhotoId(trx: Trx, scan: Scan | null): Promise<number | null> {
  if (!scan) return null;
  const row = await trx.selectFrom('scans').select('photo_id').where('id', '=', scan.id).executeTakeFirstOrThrow();
  return row.photo_id;
}
