import type { Db } from '#db/connect.server.ts';
import { PAGE_ROWS } from '#app/limits.ts';
import { type FlightFilter, matchesFilter } from './logbook/flight-filter.server.ts';
import { findPage, isOnPage, PAGE_QUERY_ROWS, type PageCursors } from '../list-pages.server.ts';
import { findFlightListRows } from './queries.server.ts';

/** Finds the newest page, or the one older than `after` or newer than `before`. */
export function findFlightLogPage(
  db: Db,
  schoolId: number | null,
  { after, before, ...filter }: FlightFilter & PageCursors,
) {
  return findPage({ after, before }, (at) => findFlightListRows(db, schoolId, { ...filter, ...at }));
}

type CancelledFilter = Pick<FlightFilter, 'aircraftId' | 'pilotId' | 'from' | 'to' | 'since' | 'timeZone'> &
  Pick<PageCursors, 'after'>;

/** Check-outs that never flew, newest first, one page; `older` starts the next page. */
export async function findCancelledCheckOuts(db: Db, schoolId: number | null, { after, ...filter }: CancelledFilter) {
  const found = await db
    .selectFrom('flight_logs')
    .innerJoin('aircraft', 'aircraft.id', 'aircraft_id')
    .innerJoin('users as pilot', 'pilot.id', 'flight_logs.user_id')
    .innerJoin('users as canceller', 'canceller.id', 'voided_by')
    .select(['flight_logs.id', 'aircraft_id', 'tail_number', 'flight_logs.created_at', 'voided_at', 'void_reason'])
    .select(['pilot.id as pilot_id', 'pilot.username as pilot'])
    .select(['canceller.id as canceller_id', 'canceller.username as canceller'])
    .where('flight_logs.school_id', '=', schoolId)
    .where('voided_at', 'is not', null)
    .where(matchesFilter(filter, schoolId))
    .where(isOnPage('flight_logs', { after }))
    .orderBy('flight_logs.created_at', 'desc')
    .orderBy('flight_logs.id', 'desc')
    .limit(PAGE_QUERY_ROWS)
    .execute();
  const page = found.slice(0, PAGE_ROWS);
  const last = found.length > PAGE_ROWS ? page.at(-1) : undefined;
  return { page, older: last ? { createdAt: last.created_at.toISOString(), id: last.id } : null };
}
