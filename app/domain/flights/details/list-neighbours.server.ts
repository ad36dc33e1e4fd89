import type { Db } from '#db/connect.server.ts';
import type { FlightFilter } from '../logbook/flight-filter.server.ts';
import { matchesFilter } from '../logbook/flight-filter.server.ts';
import { type FlightKey, isBeforeOrAfter } from './position.server.ts';

/** Selects the id of the newer ('>') or older flight beside a flight in the list under the filter; null at its ends. */
export function neighbourInListQuery(db: Db, flight: FlightKey, side: '<' | '>', filter: FlightFilter) {
  const direction = side === '<' ? 'desc' : 'asc';
  return db
    .selectFrom('flight_logs')
    .select('flight_logs.id')
    .where('flight_logs.school_id', '=', flight.schoolId)
    .where('flight_logs.voided_at', 'is', null)
    .where(matchesFilter(filter, flight.schoolId))
    .where(isBeforeOrAfter(flight, side))
    .orderBy('flight_logs.created_at', direction)
    .orderBy('flight_logs.id', direction)
    .limit(1);
}
