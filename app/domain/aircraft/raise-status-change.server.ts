import type { Trx } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { findAircraft } from './queries.server.ts';

/** Tells webhooks of the aircraft as the transaction has it now; reads nothing if the school has no webhooks. */
export async function raiseStatusChange(
  trx: Trx,
  { schoolId, raisedEvents }: Member,
  aircraftId: number,
): Promise<void> {
  if (!raisedEvents) return;
  const data = await findAircraft(trx, schoolId, aircraftId);
  if (data) raisedEvents.push({ type: 'aircraft.status_changed', schoolId, aircraftId, data });
}
