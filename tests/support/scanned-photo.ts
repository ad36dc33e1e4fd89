import type { Db } from '#db/connect.server.ts';
import type { MeterType } from '#db/tables.ts';
import type { Figure } from '#app/domain/meters/figures.ts';
import type { Member } from '#app/domain/actor.ts';
import { type Columns, insertRow } from './rows.ts';

type Owner = Pick<Member, 'id' | 'schoolId'>;

/** A photo of the user, which is no picture; its id. */
export function makePhoto(db: Db, { id: user_id, schoolId }: Owner, content = 'jpeg'): Promise<number> {
  const photo = { school_id: schoolId, user_id, content: Buffer.from(content), width: 1, height: 1 };
  return insertRow(db, 'photos', photo);
}

/** What was read of a photo of the user; the scan's id. */
export async function makeScan(db: Db, user: Owner, aircraft_id: number, columns: Columns<'scans'> = {}) {
  const photo_id = columns.photo_id ?? (await makePhoto(db, user));
  const owned = { school_id: user.schoolId, user_id: user.id, aircraft_id, photo_id };
  const scan = { ...owned, meter_type: 'hobbs' as const, detected_text: '1234.5', confidence: '0.9', ...columns };
  return insertRow(db, 'scans', scan);
}

interface ScannedPhoto {
  aircraftId: number;
  meterType: MeterType;
  detected: string;
  /** Of the photo. */
  bytes: string;
  figures?: Figure[];
}

/** A photo that its user had read; the photo's id. */
export async function insertScannedPhoto(db: Db, user: Member, scanned: ScannedPhoto): Promise<number> {
  const photo_id = await makePhoto(db, user, scanned.bytes);
  await makeScan(db, user, scanned.aircraftId, {
    ...{ photo_id, meter_type: scanned.meterType, detected_text: scanned.detected, confidence: '0.61' },
    figures: JSON.stringify(scanned.figures ?? []),
  });
  return photo_id;
}
