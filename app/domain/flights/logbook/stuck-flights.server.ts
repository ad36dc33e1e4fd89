import type { Db } from '#db/connect.server.ts';
import { OVERDUE_FLIGHT_HOURS, MS_PER_HOUR } from '#app/limits.ts';
import type { Actor } from '../../actor.ts';
import { formatIsoDate } from '../../format.server.ts';
import { can } from '../../permissions.ts';
import { findOpenFlights } from '../queries.server.ts';
import type { OpenFlight } from '../schema.server.ts';

/** Flights that are long out or have passed midnight, the longest first; to whom may not see all, their own. */
export async function findStuckFlights(db: Db, reader: Actor, now: Date): Promise<OpenFlight[]> {
  const { schoolId, role, id, timeZone } = reader;
  const open = await findOpenFlights(db, schoolId, can(role, 'see all open flights') ? undefined : id);
  return open.filter(({ createdAt }) => isStuck(createdAt, now, timeZone)).toReversed();
}

function isStuck(startedAt: string, now: Date, timeZone: string): boolean {
  const hours = (now.getTime() - Date.parse(startedAt)) / MS_PER_HOUR;
  return hours > OVERDUE_FLIGHT_HOURS || formatIsoDate(startedAt, timeZone) < formatIsoDate(now, timeZone);
}
