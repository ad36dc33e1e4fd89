import type { Db } from '#db/connect.server.ts';
import { PAGE_ROWS } from '#app/limits.ts';
import { type Cursor, findFlightLogs } from './queries.server.ts';
import type { FlightLog } from './schema.server.ts';

export interface FlightLogPage {
  logs: FlightLog[];
  /** Where the next older page begins. Null: there is none. */
  older: Cursor | null;
  /** Where the next newer page ends. Null: this is the newest. */
  newer: Cursor | null;
}

interface PageFilter {
  aircraftId?: number | undefined;
  after?: Cursor | undefined;
  before?: Cursor | undefined;
}

/** One page of the school's flights, newest first: the newest, or the one older than `after` or newer than `before`. */
export async function findFlightLogPage(db: Db, schoolId: number | null, wanted: PageFilter): Promise<FlightLogPage> {
  const { aircraftId, after, before } = wanted;
  const found = await findFlightLogs(db, schoolId, { ...wanted, limit: PAGE_ROWS + 1 });
  const more = found.length > PAGE_ROWS;
  // Past either end of the list, and on a short page at its newer end, the newest page is the one to be on.
  if (before ? !more : after && found.length === 0) return findFlightLogPage(db, schoolId, { aircraftId });
  const logs = before ? found.slice(-PAGE_ROWS) : found.slice(0, PAGE_ROWS);
  return {
    logs,
    older: before || more ? cursorOf(logs.at(-1)) : null,
    newer: before || after ? cursorOf(logs.at(0)) : null,
  };
}

/** The ids of the flights next to this one in the list, if there are any. */
export async function findNeighbourIds(db: Db, schoolId: number | null, log: FlightLog, aircraftId?: number) {
  const own = { createdAt: log.createdAt, id: log.id };
  const [[newer], [older]] = await Promise.all([
    findFlightLogs(db, schoolId, { aircraftId, before: own, limit: 1 }),
    findFlightLogs(db, schoolId, { aircraftId, after: own, limit: 1 }),
  ]);
  return { newer: newer?.id ?? null, older: older?.id ?? null };
}

function cursorOf(log: FlightLog | undefined): Cursor | null {
  return log ? { createdAt: log.createdAt, id: log.id } : null;
}
