import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { MeterType } from '#db/tables.ts';
import type { Member } from '../actor.ts';

/** A photo whose reading somebody confirmed, by flying on it or by saving it as the last one: a training example. */
export interface ConfirmedPhoto {
  photoId: number;
  /** Counter as it was cut out; null of scans without one. */
  cropId: number | null;
  /** Figures that the counter showed; null of scans without a count. */
  digits: number | null;
  meterType: MeterType;
  tailNumber: string;
  takenAt: Date;
  reading: string;
  detectedText: string;
  confidence: string;
}

/** Finds these photos, oldest first, without those of cancelled check-outs. */
export function findConfirmedPhotos(db: Db, schoolId: number): Promise<ConfirmedPhoto[]> {
  const confirmed = (photo: 'start_hobbs' | 'start_tach' | 'end_hobbs' | 'end_tach') =>
    sql`select ${sql.ref(`${photo}_photo_id`)} as photo_id, ${sql.ref(photo)}::text as reading
      from flight_logs where school_id = ${schoolId} and voided_at is null and ${sql.ref(`${photo}_photo_id`)} is not null`;
  const all = sql<{ photo_id: number; reading: string }>`(${sql.join(
    [
      confirmed('start_hobbs'),
      confirmed('start_tach'),
      confirmed('end_hobbs'),
      confirmed('end_tach'),
      sql`select photo_id, saved_reading::text from scans where school_id = ${schoolId} and saved_reading is not null`,
    ],
    sql` union `,
  )})`;
  return db
    .selectFrom('scans')
    .innerJoin(all.as('confirmed'), 'confirmed.photo_id', 'scans.photo_id')
    .innerJoin('aircraft', 'aircraft.id', 'scans.aircraft_id')
    .select([
      'scans.photo_id as photoId',
      'scans.crop_id as cropId',
      'digits',
      'meter_type as meterType',
      'tail_number as tailNumber',
    ])
    .select(['scans.created_at as takenAt', 'reading', 'detected_text as detectedText', 'confidence'])
    .where('scans.school_id', '=', schoolId)
    .where('reading', 'is not', null)
    .orderBy('scans.id')
    .execute();
}

/** Notes which reading was saved as the last one by a scan, of which it makes a training example. */
export async function writeSavedReadingOfScan(
  trx: Trx,
  { schoolId }: Member,
  scanId: number,
  reading: string,
): Promise<void> {
  await trx
    .updateTable('scans')
    .set({ saved_reading: reading })
    .where('school_id', '=', schoolId)
    .where('id', '=', scanId)
    .execute();
}
