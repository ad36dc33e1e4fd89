import type { Db } from '#db/connect.server.ts';
import type { MeterType } from '#db/tables.ts';
import type { Figure } from '#app/domain/meters/figures.ts';
import type { Member } from '#app/domain/actor.ts';

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
  const owner = { school_id: user.schoolId, user_id: user.id };
  const photo = { ...owner, content: Buffer.from(scanned.bytes), width: 1, height: 1 };
  const { id } = await db.insertInto('photos').values(photo).returning('id').executeTakeFirstOrThrow();
  const read = {
    aircraft_id: scanned.aircraftId,
    photo_id: id,
    meter_type: scanned.meterType,
    detected_text: scanned.detected,
    confidence: '0.61',
    figures: JSON.stringify(scanned.figures ?? []),
  };
  await db
    .insertInto('scans')
    .values({ ...owner, ...read })
    .execute();
  return id;
}
