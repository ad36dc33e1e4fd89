import { db } from '#app/server/db.server.ts';
import type { Actor } from '#app/domain/actor.ts';
import { findCancelledCheckOuts } from '#app/domain/flights/flight-log-page.server.ts';
import type { Cursor } from '#app/domain/flights/logbook/flight-filter.server.ts';
import { formatDateTime } from '#app/domain/format.server.ts';
import { markedName, type NamesakeMarks } from '#app/domain/people/namesakes.server.ts';
import { type FlightFilterQuery, type FlightLogsQuery, paths } from '#app/paths.ts';
import { formatCursor } from '#app/server/query-values.server.ts';

/** Keeps the filters that narrow the list of cancelled check-outs; the others do not. */
export function placeInCancelled({ aircraftId, pilotId, from, to, since }: FlightFilterQuery): FlightLogsQuery {
  return { show: 'cancelled', aircraftId, pilotId, from, to, since };
}

/** Returns a function that shows the list once the marks of namesakes are known. */
export async function loadCancelledCheckOuts(reader: Actor, query: FlightFilterQuery, after: Cursor | undefined) {
  const { schoolId, timeZone } = reader;
  const { show: _show, ...filter } = placeInCancelled(query);
  const { page, older } = await findCancelledCheckOuts(db, schoolId, { ...filter, timeZone, after });
  const at = placeInCancelled(query);
  return (marks: NamesakeMarks) => ({
    logs: [],
    days: [],
    sums: null,
    recentDays: [],
    cancelled: page.map((log) => ({
      id: log.id,
      aircraftId: log.aircraft_id,
      tailNumber: log.tail_number,
      pilot: markedName(marks, { id: log.pilot_id, username: log.pilot }),
      started: formatDateTime(log.created_at, timeZone),
      cancelled: log.voided_at && formatDateTime(log.voided_at, timeZone),
      by: markedName(marks, { id: log.canceller_id, username: log.canceller }),
      reason: log.void_reason,
    })),
    older: older && paths.flightLogsPage({ ...at, after: formatCursor(older) }),
    newer: after ? paths.flightLogsPage(at) : null,
  });
}
