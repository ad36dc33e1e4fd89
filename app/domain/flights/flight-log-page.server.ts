import type { Db } from '#db/connect.server.ts';
import { PAGE_ROWS } from '#app/limits.ts';
import { type Cursor, type FlightFilter, matchesFilter } from './logbook/flight-filter.server.ts';
import { findFlightListRows, type FlightListRow } from './queries.server.ts';
import { sql } from 'kysely';

interface PageFilter extends FlightFilter {
  after?: Cursor | undefined;
  before?: Cursor | undefined;
}

/** Finds the newest page, or the one older than `after` or newer than `before`. */
export async function findFlightLogPage(db: Db, schoolId: number | null, filter: PageFilter) {
  const { after, before, ...matching } = filter;
  const found = await findFlightListRows(db, schoolId, { ...filter, limit: PAGE_ROWS + 1 });
  const more = found.length > PAGE_ROWS;
  // The newest page is found past either end, and if a newer page would be short.
  if (before ? !more : after && found.length === 0) return findFlightLogPage(db, schoolId, matching);
  const logs = before ? found.slice(-PAGE_ROWS) : found.slice(0, PAGE_ROWS);
  return {
    logs,
    older: more ? cursorOf(logs.at(-1)) : null,
    newer: before || after ? cursorOf(logs.at(0)) : null,
  };
}

function cursorOf(log: FlightListRow | undefined): Cursor | null {
  return log ? { createdAt: log.createdAt, id: log.id } : null;
}

type CancelledFilter = Pick<FlightFilter, 'aircraftId' | 'pilotId' | 'from' | 'to' | 'since' | 'timeZone'> & {
  after?: Cursor | undefined;
};

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
    .$if(after !== undefined, (query) =>
      query.where(
        sql<string>`(flight_logs.created_at, flight_logs.id)`,
        '<',
        sql<string>`(${after?.createdAt}::timestamptz, ${after?.id}::integer)`,
      ),
    )
    .orderBy('flight_logs.created_at', 'desc')
    .orderBy('flight_logs.id', 'desc')
    .limit(PAGE_ROWS + 1)
    .execute();
  const page = found.slice(0, PAGE_ROWS);
  const last = found.length > PAGE_ROWS ? page.at(-1) : undefined;
  return { page, older: last ? { createdAt: last.created_at.toISOString(), id: last.id } : null };
}
