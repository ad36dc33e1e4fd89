import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import type { MeterType } from '#db/tables.ts';

/** A photo that a pilot confirmed by flying on its reading: an example to learn from. */
export interface ConfirmedPhoto {
  photoId: number;
  meterType: MeterType;
  tailNumber: string;
  takenAt: Date;
  /** What the pilot made of it, as it was corrected since. */
  reading: string;
  /** What was read from it, and how sure the reader was, 0 to 1. */
  detectedText: string;
  confidence: string;
}

/** The school's confirmed photos, oldest first; a check-out that was cancelled confirms nothing. */
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
