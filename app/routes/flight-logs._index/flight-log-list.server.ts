import { db } from '#app/server/db.server.ts';
import { type Actor, asMember } from '#app/domain/actor.ts';
import { findFleet, findRemovedAircraft } from '#app/domain/aircraft/queries.server.ts';
import { flightDetails } from '#app/features/flights/flight-details-view.server.ts';
import { findHistory } from '#app/domain/flights/flight-revisions.server.ts';
import { findOffers } from '#app/domain/flights/flight-permissions.server.ts';
import { findFlightLogPage, findNeighbours } from '#app/domain/flights/flight-log-page.server.ts';
import { type Cursor, findFlightLog, type FlightLog } from '#app/domain/flights/queries.server.ts';
import { clockHours, moment } from '#app/domain/format.server.ts';
import { type FlightLogsAt, paths } from '#app/paths.ts';
import { attempt } from '#app/server/partial-load.server.ts';
import { cursorText } from '#app/server/cursor.server.ts';
import { idFrom } from '#app/server/ids.server.ts';

interface Wanted {
  aircraftId?: number | undefined;
  after?: Cursor | undefined;
  before?: Cursor | undefined;
}

/** One page of the flight logs as the screen shows it, with the addresses that lead on from it. */
export async function flightLogList(actor: Actor, wanted: Wanted) {
  const { aircraftId, after, before } = wanted;
  const at: FlightLogsAt = { aircraftId, after: after && cursorText(after), before: before && cursorText(before) };
  if (actor.schoolId === null) return { at, logs: [], cancelled: null, older: null, newer: null };
  const { logs, older, newer } = await findFlightLogPage(db, actor.schoolId, wanted);
  return {
    at,
    logs: logs.map((log) => ({ ...shown(log, actor.timeZone), href: paths.flightLogsAt({ ...at, log: log.id }) })),
    cancelled: null,
    older: older && paths.flightLogsAt({ aircraftId, after: cursorText(older) }),
    newer: newer && paths.flightLogsAt({ aircraftId, before: cursorText(newer) }),
  };
}

/** The flight that `?log=` names, in all detail, with the addresses beside it; null if the school has none such. */
export async function flightInDialog(actor: Actor, asked: string, at: FlightLogsAt) {
  const id = idFrom(asked);
  if (actor.schoolId === null || id === undefined) return null;
  const reader = asMember(actor);
  const log = await findFlightLog(db, reader.schoolId, id);
  if (!log) return null;
  const [{ newer, older }, history, offers] = await Promise.all([
    findNeighbours(db, reader.schoolId, log, at.aircraftId),
    findHistory(db, reader.schoolId, id),
    findOffers(db, reader, log),
  ]);
  return {
    details: flightDetails(log, reader, history, offers),
    closeHref: paths.flightLogsAt(at),
    newer: newer === null ? null : paths.flightLogsAt({ ...at, log: newer }),
    older: older === null ? null : paths.flightLogsAt({ ...at, log: older }),
  };
}

/** 'All Aircraft', the fleet, then what was removed but still stands in the logs (C55); or why there is no list. */
export function aircraftOptions({ schoolId }: Actor) {
  return attempt(schoolId === null ? Promise.resolve([ALL]) : optionsOf(schoolId), 'Failed to fetch aircraft');
}

const ALL = { value: '', label: 'All Aircraft' };

async function optionsOf(schoolId: number) {
  const [fleet, removed] = await Promise.all([findFleet(db, schoolId), findRemovedAircraft(db, schoolId)]);
  return [
    ALL,
    ...fleet.map(toOption),
    ...(removed.length > 0 ? [{ label: 'Removed aircraft', options: removed.map(toOption) }] : []),
  ];
}

function toOption({ id, tailNumber }: { id: number; tailNumber: string }) {
  return { value: String(id), label: tailNumber };
}

function shown({ id, aircraft, createdAt, completedAt, instructor }: FlightLog, timeZone: string) {
  return {
    id,
    tailNumber: aircraft.tailNumber,
    started: moment(createdAt, timeZone),
    ended: completedAt === null ? null : moment(completedAt, timeZone),
    hours: completedAt === null ? null : clockHours(createdAt, completedAt),
    instructor: instructor?.username ?? null,
  };
}
