import type { Trx } from '#db/connect.server.ts';
import { METER_TYPES } from './meters.ts';

/** Of a new aircraft's meters, which nobody has read yet. */
export async function insertFirstSegments(trx: Trx, schoolId: number, aircraftId: number): Promise<void> {
  await trx
    .insertInto('meter_segments')
    .values(
      METER_TYPES.map((meter) => ({
        school_id: schoolId,
        aircraft_id: aircraftId,
        meter_type: meter,
        reason: 'new aircraft' as const,
      })),
    )
    .execute();
}
