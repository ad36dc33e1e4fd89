import type { Actor } from '#app/domain/actor.ts';
import { markedName, type NamesakeMarks, flightWithMarkedNames } from '#app/domain/people/namesakes.server.ts';
import { findCancelledCheckOuts, findFlightLogPage } from '#app/domain/flights/flight-log-page.server.ts';
import type { FlightFilter } from '#app/domain/flights/logbook/flight-filter.server.ts';
import type { Cursor, PageCursors } from '#app/domain/list-pages.server.ts';
import { type DaySums, findFlightSums } from '#app/domain/flights/logbook/hours.server.ts';
import { formatCalendarDay, formatDateTime, formatIsoDate } from '#app/domain/format.server.ts';
import { shortHours } from '#app/domain/reading.ts';
import { listLastDays } from '#app/features/flights/hours/periods.ts';
import { RECENT_DAYS } from '#app/limits.ts';
import { type FlightFilterQuery, type FlightLogsQuery, paths } from '#app/paths.ts';
import { formatCursor } from '#app/server/query-values.server.ts';
import { db } from '#app/server/db.server.ts';
import { toLogRows, withClocks, zonesByDay } from '#app/features/flights/flight-log-rows.server.ts';

export function toFlightListQuery(query: FlightFilterQuery, { after, before }: PageCursors): FlightLogsQuery {
  return { ...query, after: after && formatCursor(after), before: before && formatCursor(before) };
}

/** Returns a function that shows the list once the marks of namesakes are known. */
export async function loadFlightLogListBuilder(actor: Actor, query: FlightFilterQuery, { after, before }: PageCursors) {
  const { schoolId, timeZone } = actor;
  const filter = { ...query, timeZone };
  const recentDays = recentDaysOf(actor);
  const isOfRecentDays = isWholeHistory(query);
  const { rows: found, older, newer } = await findFlightLogPage(db, schoolId, { ...filter, after, before });
  const flights = withClocks(found, timeZone);
  const zones = zonesByDay(flights);
  const { sums, days } = await findFlightSums(
    db,
    schoolId,
    isOfRecentDays ? { ...filter, from: recentDays.at(-1) } : filter,
    daysOfList(filter, zones),
  );
  return (marks: NamesakeMarks) => ({
    logs: toLogRows(
      flights.map((flight) => flightWithMarkedNames(flight, marks)),
      actor,
      zones,
    ),
    days: [...zones]
      .map(([day, { title }]) => ({ day, title, sums: sumText(days.find((sum) => sum.day === day)) }))
      .toReversed(),
    recentDays: recentDays.map((day) => ({ day, ...formatCalendarDay(day) })),
    sums: { ...sums, isOfRecentDays },
    cancelled: null,
    older: older && paths.flightLogsPage({ ...query, after: formatCursor(older) }),
    newer: newer && paths.flightLogsPage({ ...query, before: formatCursor(newer) }),
  });
}

/** Returns whether the filter is for one of the days that have a link. */
export function isFilterForRecentDay({ from, to }: FlightFilterQuery, reader: Actor): boolean {
  return from !== undefined && from === to && recentDaysOf(reader).includes(from);
}

function recentDaysOf({ timeZone }: Actor): string[] {
  return listLastDays(formatIsoDate(new Date(), timeZone), RECENT_DAYS);
}

/** The sums of the whole history would take longer every year, and answer no question. */
function isWholeHistory({ status, ...filter }: FlightFilterQuery): boolean {
  return status !== 'in_progress' && Object.values(filter).every((value) => value === undefined);
}

function daysOfList(filter: FlightFilter, zones: Map<string, unknown>) {
  const days = [...zones.keys()];
  const [first, last] = [days.at(0), days.at(-1)];
  return first === undefined || last === undefined ? undefined : { filter, first, last };
}

function sumText({ flights, hobbs }: DaySums = { day: '', flights: 0, hobbs: '0.00' }): string {
  return `${flights} ${flights === 1 ? 'flight' : 'flights'} · ${shortHours(hobbs)} h Hobbs`;
}

/** Keeps the filters that narrow the list of cancelled check-outs; the others do not. */
export function toCancelledListQuery({ aircraftId, pilotId, from, to, since }: FlightFilterQuery): FlightLogsQuery {
  return { show: 'cancelled', aircraftId, pilotId, from, to, since };
}

export async function loadCancelledListBuilder(reader: Actor, query: FlightFilterQuery, after: Cursor | undefined) {
  const { schoolId, timeZone } = reader;
  const { show: _show, ...filter } = toCancelledListQuery(query);
  const { page, older } = await findCancelledCheckOuts(db, schoolId, { ...filter, timeZone, after });
  const at = toCancelledListQuery(query);
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
