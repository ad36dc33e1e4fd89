import type { Trx } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { findAircraft } from './queries.server.ts';

/** Tells webhooks of the aircraft as it is now in the transaction; reads nothing where the school has none. */
export async function raiseStatusChange(
  trx: Trx,
  { schoolId, raisedEvents }: Member,
  aircraftId: number,
): Promise<void> {
  if (!raisedEvents) return;
  const data = await findAircraft(trx, schoolId, aircraftId);
  if (data) raisedEvents.push({ type: 'aircraft.status_changed', schoolId, aircraftId, data });
}
