import type { Actor } from '#app/domain/actor.ts';
import type { FlightLog } from '#app/domain/flights/schema.server.ts';
import { formatDateTime, formatIsoDate, splitDateTime, wallClockHours } from '#app/domain/format.server.ts';
import { can } from '#app/domain/permissions.ts';

export type FlightLogRowData = ReturnType<typeof toRow>;

interface DayZones {
  /** Text such as 'Sat 21 Nov 2026, PST'. */
  title: string;
  /** True if the clock is set within the day, whose times then need their zone. */
  isMixed: boolean;
}

export function zonesByDay(logs: FlightLog[], timeZone: string): Map<string, DayZones> {
  const days = new Map<string, { text: string; zones: Set<string> }>();
  for (const { createdAt, completedAt } of logs.toReversed()) {
    const day = formatIsoDate(createdAt, timeZone);
    const { day: text, zone } = splitDateTime(createdAt, timeZone);
    const known = days.get(day) ?? { text, zones: new Set<string>() };
    known.zones.add(zone);
    if (completedAt && formatIsoDate(completedAt, timeZone) === day)
      known.zones.add(splitDateTime(completedAt, timeZone).zone);
    days.set(day, known);
  }
  return new Map(
    [...days].map(([day, { text, zones }]) => [
      day,
      { title: `${text}, ${[...zones].join('/')}`, isMixed: zones.size > 1 },
    ]),
  );
}

export function toLogRows(logs: FlightLog[], reader: Actor, days: Map<string, DayZones>) {
  return logs.map((log) => toRow(log, reader, days));
}

function toRow(log: FlightLog, { id: readerId, role, timeZone }: Actor, days: Map<string, DayZones>) {
  const { id, aircraft, user, createdAt, completedAt, instructor } = log;
  const day = formatIsoDate(createdAt, timeZone);
  const showsPilot = completedAt !== null || user.id === readerId || can(role, 'see all open flights');
  const clock = (at: string) => clockText(at, timeZone, { day, isMixed: days.get(day)?.isMixed === true });
  return {
    id,
    aircraftId: aircraft.id,
    tailNumber: aircraft.tailNumber,
    pilot: showsPilot ? user.username : null,
    day,
    started: { ...formatDateTime(createdAt, timeZone), clock: clock(createdAt) },
    ended: completedAt === null ? null : { ...formatDateTime(completedAt, timeZone), clock: clock(completedAt) },
    hours: completedAt === null ? null : wallClockHours(createdAt, completedAt),
    instructor: instructor?.username ?? null,
  };
}

/** Returns '14:05'; '00:40 +1 d' a day after the heading's; '01:30 PDT' if the clock is set that day. */
function clockText(at: string, timeZone: string, { day, isMixed }: { day: string; isMixed: boolean }): string {
  const { time, zone } = splitDateTime(at, timeZone);
  const days = (Date.parse(formatIsoDate(at, timeZone)) - Date.parse(day)) / DAY_MS;
  return [time, isMixed && zone, days > 0 && `+${days} d`].filter(Boolean).join(' ');
}

const DAY_MS = 86_400_000;
