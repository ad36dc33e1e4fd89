import type { Db } from '#db/connect.server.ts';
import { CLOCK_DIFFERENCE_MS } from '#app/limits.ts';
import type { Member } from '../actor.ts';
import type { StartFlightInput } from './schema.server.ts';

type Start = Pick<StartFlightInput, 'aircraftId' | 'startHobbsTime' | 'startTachTime'>;

/** Finds the pilot's flight that a check-out typed then has begun, even if its request is remembered no more. */
export function findExistingStart(
  db: Db,
  { schoolId, id }: Member,
  { aircraftId, startHobbsTime, startTachTime }: Start,
  typedAt: Date,
): Promise<{ id: number; isOpen: boolean } | undefined> {
  return db
    .selectFrom('flight_logs')
    .select(['id', (eb) => eb('completed_at', 'is', null).and('voided_at', 'is', null).as('isOpen')])
    .$narrowType<{ isOpen: boolean }>()
    .where('school_id', '=', schoolId)
    .where('aircraft_id', '=', aircraftId)
    .where('user_id', '=', id)
    .where('start_hobbs', '=', startHobbsTime)
    .where('start_tach', '=', startTachTime)
    .where('created_at', '>=', new Date(typedAt.getTime() - CLOCK_DIFFERENCE_MS))
    .orderBy('id')
    .executeTakeFirst();
}
