import type { Trx } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';
import type { Member } from '../../actor.ts';
import { updateLastReadings } from '../../aircraft/save-last-reading.server.ts';
import { newestCompletedFlight } from '../flight-order.server.ts';
import { findPastMeters, lastReadingsOf } from './review-past-flight.server.ts';

/** Makes the end of a past flight, entered while a check-out was open, the last reading once that is cancelled. */
export async function catchUpWithPastFlight(
  trx: Trx,
  actor: Member,
  { aircraft_id: aircraftId, created_at: checkedOut }: Row<'flight_logs'>,
): Promise<void> {
  const newest = await trx
    .selectFrom('flight_logs')
    .select(['id', 'created_at', 'completed_at', 'end_hobbs', 'end_tach', 'entered_at'])
    .where('school_id', '=', actor.schoolId)
    .where('id', '=', newestCompletedFlight(actor.schoolId, aircraftId))
    .executeTakeFirst();
  if (!newest?.entered_at || newest.entered_at < checkedOut) return;
  const { id, created_at: departed, completed_at: landed, end_hobbs: hobbs, end_tach: tachometer } = newest;
  if (landed === null || hobbs === null || tachometer === null) return;
  const meters = await findPastMeters(trx, actor, aircraftId, { id, departed, landed });
  await updateLastReadings(trx, actor, aircraftId, lastReadingsOf(meters, { hobbs, tachometer }));
}
