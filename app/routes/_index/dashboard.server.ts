import type { Actor } from '#app/domain/actor.ts';
import { byGravity, type StatusAndCondition } from '#app/domain/aircraft/fleet-order.ts';
import { findOpenFlights } from '#app/domain/flights/queries.server.ts';
import type { OpenFlight } from '#app/domain/flights/schema.server.ts';
import { formatDateTime, clockHoursBetween } from '#app/domain/format.server.ts';
import { findNamesakeMarks, markedName } from '#app/domain/people/namesakes.server.ts';
import { can } from '#app/domain/permissions.ts';
import { findSchool } from '#app/domain/school/queries.server.ts';
import { texts } from '#app/domain/texts.ts';
import { type FlightLineAircraft, loadFlightLine } from '#app/features/flight-line/flight-line-view.server.ts';
import { LONG_OPEN_HOURS, MS_PER_HOUR } from '#app/limits.ts';
import { db } from '#app/server/db.server.ts';

export type DashboardData = Awaited<ReturnType<typeof loadDashboard>>;

export async function loadDashboard(actor: Actor) {
  const { id, username, role, schoolId } = actor;
  const seesAll = can(role, 'see all open flights');
  const [school, flights, marks, line] = await Promise.all([
    findSchool(db, schoolId),
    findOpenFlights(db, schoolId, { userId: seesAll ? undefined : id }),
    findNamesakeMarks(db, actor),
    loadFlightLine(actor),
  ]);
  const rows = new Map(line.rows.map((row) => [row.id, row]));
  const standingOf = ({ aircraft }: OpenFlight): StatusAndCondition => ({
    status: 'checked_out',
    condition: rows.get(aircraft.id)?.condition ?? null,
  });
  return {
    username,
    role,
    school: school ?? null,
    openFlights: ownFirst(seesAll ? longOpenFirst(flights, standingOf) : flights, id).map((flight) =>
      toOpenFlightRow(flight, actor, marks, rows.get(flight.aircraft.id)),
    ),
    line,
    inFlight: flights.some((flight) => flight.user.id === id) ? texts.activeFlight : null,
    canCheckOut: can(role, 'check out aircraft'),
    seesAll,
  };
}

function ownFirst(flights: OpenFlight[], pilotId: number): OpenFlight[] {
  return flights.toSorted((a, b) => Number(b.user.id === pilotId) - Number(a.user.id === pilotId));
}

function longOpenFirst(flights: OpenFlight[], standingOf: (flight: OpenFlight) => StatusAndCondition): OpenFlight[] {
  const isLong = ({ createdAt }: OpenFlight) => hoursSince(createdAt) > LONG_OPEN_HOURS;
  const others = flights.filter((flight) => !isLong(flight));
  const sorted = others.toSorted((a, b) => byGravity(standingOf(a), standingOf(b)));
  return [...flights.filter(isLong).toReversed(), ...sorted];
}

function hoursSince(createdAt: string): number {
  return (Date.now() - Date.parse(createdAt)) / MS_PER_HOUR;
}

function toOpenFlightRow(
  { id, aircraft, user, createdAt }: OpenFlight,
  reader: Actor,
  marks: Map<number, string>,
  onLine: FlightLineAircraft | undefined,
) {
  const isOverdue = onLine?.state === 'overdue';
  const isLong = can(reader.role, 'see all open flights') && hoursSince(createdAt) > LONG_OPEN_HOURS;
  return {
    id,
    aircraftId: aircraft.id,
    tailNumber: aircraft.tailNumber,
    makeAndModel: `${aircraft.make} ${aircraft.model}`,
    started: formatDateTime(createdAt, reader.timeZone),
    hoursOpen: isLong || isOverdue ? clockHoursBetween(createdAt, new Date()) : null,
    isOverdue,
    groundedOnReturn: onLine?.flight?.groundedOnReturn ?? false,
    condition: onLine?.condition ? { kind: onLine.condition, text: conditionText(onLine) } : null,
    pilot: can(reader.role, 'see all open flights') ? markedName(marks, user) : null,
    isOwn: user.id === reader.id,
    canOversee: user.id !== reader.id && can(reader.role, 'close any flight'),
  };
}

function conditionText({ condition, unsafe, deferral, due }: FlightLineAircraft): string | null {
  if (condition === 'deferral_over') return deferral;
  return unsafe ?? (due && `${due.name}: ${due.text}`);
}
