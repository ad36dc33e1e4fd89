import type { Db } from '#db/connect.server.ts';
import { PAGE_ROWS } from '#app/limits.ts';
import type { FlightFilter } from './logbook/flight-filter.server.ts';
import type { Cursor } from './details/position.server.ts';
import { findFlightListRows, type FlightListRow } from './queries.server.ts';

export interface FlightLogPage {
  logs: FlightListRow[];
  older: Cursor | null;
  newer: Cursor | null;
}

interface PageFilter extends FlightFilter {
  after?: Cursor | undefined;
  before?: Cursor | undefined;
}

/** Finds the newest page, or the one older than `after` or newer than `before`. */
export async function findFlightLogPage(db: Db, schoolId: number | null, filter: PageFilter): Promise<FlightLogPage> {
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
