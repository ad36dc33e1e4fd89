import { db } from '#app/server/db.server.ts';
import type { Actor } from '#app/domain/actor.ts';
import { findFleet, findRemovedAircraft } from '#app/domain/aircraft/queries.server.ts';
import { findTailNumbersWithYears } from '#app/domain/aircraft/namesakes.server.ts';
import { findNamesakeMarks, withMarkedNames } from '#app/domain/people/former/namesakes.server.ts';
import { findFlightLogPage } from '#app/domain/flights/flight-log-page.server.ts';
import type { Cursor } from '#app/domain/flights/queries.server.ts';
import type { FlightLog } from '#app/domain/flights/schema.server.ts';
import { wallClockHours, formatDateTime } from '#app/domain/format.server.ts';
import { texts } from '#app/domain/texts.ts';
import { type FlightLogsQuery, paths } from '#app/paths.ts';
import { loadOrFailure } from '#app/server/partial-load.server.ts';
import { formatCursor } from '#app/server/cursor.server.ts';

interface FlightLogListFilter {
  aircraftId?: number | undefined;
  after?: Cursor | undefined;
  before?: Cursor | undefined;
}

export async function loadFlightLogList(actor: Actor, filter: FlightLogListFilter) {
  const { aircraftId, after, before } = filter;
  const at: FlightLogsQuery = {
    aircraftId,
    after: after && formatCursor(after),
    before: before && formatCursor(before),
  };
  const { logs, older, newer } = await findFlightLogPage(db, actor.schoolId, filter);
  const marks = await findNamesakeMarks(db, actor);
  const rows = logs.map((log) => toRow(withMarkedNames(log, marks), actor.timeZone));
  return {
    at,
    logs: rows.map((row) => ({ ...row, href: paths.flightLogsPage({ ...at, log: row.id }) })),
    cancelled: null,
    older: older && paths.flightLogsPage({ aircraftId, after: formatCursor(older) }),
    newer: newer && paths.flightLogsPage({ aircraftId, before: formatCursor(newer) }),
  };
}

/** Ends with removed aircraft that still have flights; or the text of a failure. */
export function loadAircraftOptions(actor: Actor) {
  return loadOrFailure(findAircraftOptions(actor), texts.fetchAircraftFailed);
}

const ALL_AIRCRAFT = { value: '', label: 'All Aircraft' };

async function findAircraftOptions(actor: Actor) {
  const { schoolId } = actor;
  const [fleet, removed] = await Promise.all([findFleet(db, schoolId), findRemovedAircraft(db, schoolId)]);
  const years = removed.length > 0 ? await findTailNumbersWithYears(db, actor) : new Map<number, string>();
  const toRemovedOption = ({ id, tailNumber }: (typeof removed)[number]) =>
    toOption({ id, tailNumber: years.get(id) ?? tailNumber });
  return [
    ALL_AIRCRAFT,
    ...fleet.map(toOption),
    ...(removed.length > 0 ? [{ label: 'Removed aircraft', options: removed.map(toRemovedOption) }] : []),
  ];
}

function toOption({ id, tailNumber }: { id: number; tailNumber: string }) {
  return { value: String(id), label: tailNumber };
}

function toRow({ id, aircraft, createdAt, completedAt, instructor }: FlightLog, timeZone: string) {
  return {
    id,
    aircraftId: aircraft.id,
    tailNumber: aircraft.tailNumber,
    started: formatDateTime(createdAt, timeZone),
    ended: completedAt === null ? null : formatDateTime(completedAt, timeZone),
    hours: completedAt === null ? null : wallClockHours(createdAt, completedAt),
    instructor: instructor?.username ?? null,
  };
}
