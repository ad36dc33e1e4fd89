import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import type { MeterType } from '#db/tables.ts';

/** A photo whose reading a pilot confirmed by flying: a training example. */
export interface ConfirmedPhoto {
  photoId: number;
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
    [confirmed('start_hobbs'), confirmed('start_tach'), confirmed('end_hobbs'), confirmed('end_tach')],
    sql` union all `,
  )})`;
  return db
    .selectFrom('scans')
    .innerJoin(all.as('confirmed'), 'confirmed.photo_id', 'scans.photo_id')
    .innerJoin('aircraft', 'aircraft.id', 'scans.aircraft_id')
    .select(['scans.photo_id as photoId', 'meter_type as meterType', 'tail_number as tailNumber'])
    .select(['scans.created_at as takenAt', 'reading', 'detected_text as detectedText', 'confidence'])
    .where('scans.school_id', '=', schoolId)
    .where('reading', 'is not', null)
    .orderBy('scans.id')
    .execute();
}
