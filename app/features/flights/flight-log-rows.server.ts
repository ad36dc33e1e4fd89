import type { Actor } from '#app/domain/actor.ts';
import type { FlightListRow } from '#app/domain/flights/queries.server.ts';
import { splitDateTime, clockHoursBetween } from '#app/domain/format.server.ts';
import { can } from '#app/domain/permissions.ts';
import { MS_PER_DAY } from '#app/limits.ts';

export type FlightLogRowData = ReturnType<typeof toRow> & {
  /** Stands in place of the pilot in a list of one pilot's flights. */
  readings?: string;
};

interface DayZones {
  /** Text such as 'Sat 21 Nov 2026, PST'. */
  title: string;
  /** True if the clock is set within the day, whose times then need their zone. */
  isMixed: boolean;
}

type ClockedFlight = ReturnType<typeof withClocks<FlightListRow>>[number];

export function withClocks<Flight extends FlightListRow>(logs: Flight[], timeZone: string) {
  return logs.map((log) => ({
    ...log,
    start: splitDateTime(log.createdAt, timeZone),
    end: log.completedAt === null ? null : splitDateTime(log.completedAt, timeZone),
  }));
}

export function zonesByDay(flights: ClockedFlight[]): Map<string, DayZones> {
  const days = new Map<string, { text: string; zones: Set<string> }>();
  for (const { start, end } of flights.toReversed()) {
    const known = days.get(start.isoDay) ?? { text: start.day, zones: new Set<string>() };
    known.zones.add(start.zone);
    if (end?.isoDay === start.isoDay) known.zones.add(end.zone);
    days.set(start.isoDay, known);
  }
  return new Map(
    [...days].map(([day, { text, zones }]) => [
      day,
      { title: `${text}, ${[...zones].join('/')}`, isMixed: zones.size > 1 },
    ]),
  );
}

export function toLogRows(flights: ClockedFlight[], reader: Actor, days: Map<string, DayZones>) {
  return flights.map((flight) => toRow(flight, reader, days));
}

function toRow(flight: ClockedFlight, { id: readerId, role }: Actor, days: Map<string, DayZones>) {
  const { id, aircraft, user, createdAt, completedAt, start, end, instructor } = flight;
  const day = start.isoDay;
  const showsPilot = completedAt !== null || user.id === readerId || can(role, 'see all open flights');
  const clock = (at: Clock) => clockText(at, { day, isMixed: days.get(day)?.isMixed === true });
  return {
    id,
    aircraftId: aircraft.id,
    tailNumber: aircraft.tailNumber,
    pilot: showsPilot ? user.username : null,
    day,
    started: { iso: createdAt, text: start.text, clock: clock(start) },
    ended: completedAt === null || end === null ? null : { iso: completedAt, clock: clock(end) },
    hours: completedAt === null ? null : clockHoursBetween(createdAt, completedAt),
    instructor: instructor?.username ?? null,
  };
}

type Clock = ClockedFlight['start'];

/** Returns '14:05'; '00:40 +1 d' a day after the heading's; '01:30 PDT' if the clock is set that day. */
function clockText({ isoDay, time, zone }: Clock, { day, isMixed }: { day: string; isMixed: boolean }): string {
  const days = isoDay === day ? 0 : (Date.parse(isoDay) - Date.parse(day)) / MS_PER_DAY;
  return [time, isMixed && zone, days > 0 && `+${days} d`].filter(Boolean).join(' ');
}
