import { sql } from 'kysely';
import type { Trx } from '#db/connect.server.ts';
import type { MeterType } from '#db/tables.ts';
import type { Member } from '../actor.ts';
import { newestCompletedFlight } from '../flights/flight-order.server.ts';
import { updateLastReadings } from '../aircraft/save-last-reading.server.ts';

const METERS = [
  { meter: 'hobbs', end: 'end_hobbs', last: 'last_hobbs', lastAt: 'last_hobbs_at' },
  { meter: 'tachometer', end: 'end_tach', last: 'last_tach', lastAt: 'last_tach_at' },
] as const;

interface CorrectedEnd {
  reading: string;
  user_id: number;
}

/** Saves an end, corrected while a check-out was open, as the last reading once that is cancelled. */
export async function catchUpWithCorrections(trx: Trx, { schoolId }: Member, aircraftId: number): Promise<void> {
  for (const { meter } of METERS) {
    const corrected = await findOvertakenCorrection(trx, schoolId, aircraftId, meter);
    if (!corrected) continue;
    await updateLastReadings(trx, { id: corrected.user_id, schoolId }, aircraftId, { [meter]: corrected.reading });
  }
}

/** Finds a correction of the newest completed flight, if the last reading is still what its end was before. */
async function findOvertakenCorrection(
  trx: Trx,
  schoolId: number,
  aircraftId: number,
  meter: MeterType,
): Promise<CorrectedEnd | undefined> {
  const columns = METERS.find((each) => each.meter === meter) ?? METERS[0];
  const newest = trx
    .selectFrom('flight_logs')
    .select(['id', 'school_id', 'aircraft_id', `${columns.end} as reading`])
    .where('school_id', '=', schoolId)
    .where('id', '=', newestCompletedFlight(schoolId, aircraftId));
  const first = await trx
    .selectFrom(newest.as('newest'))
    .innerJoin('aircraft', 'aircraft.id', 'newest.aircraft_id')
    .innerJoin('flight_log_revisions as revision', (join) =>
      join
        .onRef('revision.school_id', '=', 'newest.school_id')
        .onRef('revision.flight_log_id', '=', 'newest.id')
        .on('revision.field', '=', columns.end),
    )
    .select(['newest.reading', 'revision.user_id', sql<boolean>`old_value = ${sql.ref(columns.last)}`.as('isOwn')])
    .where(sql<boolean>`revision.created_at > coalesce(${sql.ref(columns.lastAt)}, '-infinity')`)
    .orderBy('revision.id')
    .executeTakeFirst();
  return first?.isOwn && first.reading !== null ? { reading: first.reading, user_id: first.user_id } : undefined;
}
