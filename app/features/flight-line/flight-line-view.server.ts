import type { Actor } from '#app/domain/actor.ts';
import { nearestDue } from '#app/domain/flight-line/nearest-due.ts';
import { findFlightLine, type FlightLineRow } from '#app/domain/flight-line/queries.server.ts';
import { clipToTape } from '#app/domain/flight-line/tape.ts';
import { formatDayAndTime, formatIsoDate, formatTime } from '#app/domain/format.server.ts';
import { toDuePoint } from '#app/domain/inspections/point-columns.ts';
import { can } from '#app/domain/permissions.ts';
import { outDurationText } from '#app/features/aircraft/out-duration-text.ts';
import { db } from '#app/server/db.server.ts';

export type FlightLineView = Awaited<ReturnType<typeof loadFlightLine>>;
export type FlightLineAircraft = FlightLineView['rows'][number];

/** Who has which aircraft now, as far as the reader may know. */
export async function loadFlightLine(reader: Actor) {
  const rows = await findFlightLine(db, reader);
  const asOf = rows[0]?.asOf ?? new Date();
  const { outCount = 0, maintenanceCount = 0, aircraftCount = 0 } = rows[0] ?? {};
  const isFlying = rows.some(({ pilotId }) => pilotId === reader.id);
  return {
    asOf: formatTime(asOf, reader.timeZone),
    counts: [
      `${outCount} out`,
      `${aircraftCount - outCount - maintenanceCount} available`,
      `${maintenanceCount} in maintenance`,
    ].join(' · '),
    now: rows[0]?.minute ?? null,
    more: aircraftCount - rows.length,
    canCheckOut: can(reader.role, 'check out aircraft') && !isFlying,
    rows: rows.map((row) => toAircraft(row, reader, asOf)),
  };
}

function toAircraft(row: FlightLineRow, reader: Actor, asOf: Date) {
  const { id, tailNumber, hobbs, tach, openSquawks, inspections, startMinute, minute, flights } = row;
  const standing = { hobbs, tach, today: formatIsoDate(asOf, reader.timeZone) };
  const dues = inspections.flatMap(({ name, ...point }) => {
    const due = toDuePoint(point);
    return due ? [{ name, due }] : [];
  });
  const flown = flights.map(({ from, to }) => clipToTape(from, to)).filter((part) => part !== null);
  return {
    id,
    tailNumber,
    state: stateOf(row),
    hobbs,
    flight: toOpenFlight(row, reader, asOf),
    squawks: openSquawks ?? 0,
    due: nearestDue(dues, standing),
    flown,
    flying: row.flightId === null ? null : clipToTape(startMinute, minute),
  };
}

function stateOf({ flightId, overdue, maintenanceSince }: FlightLineRow) {
  if (flightId !== null) return overdue ? 'overdue' : 'out';
  return maintenanceSince === null ? 'available' : 'maintenance';
}

/** Whose flight is open only who may see it learns. */
function toOpenFlight(
  { flightId, startedAt, overdue, pilotId, pilot, maintenanceSince }: FlightLineRow,
  reader: Actor,
  asOf: Date,
) {
  if (flightId === null || startedAt === null) return null;
  const isKnown = pilotId === reader.id || can(reader.role, 'see all open flights');
  return {
    id: flightId,
    pilot: isKnown ? pilot : null,
    since: overdue
      ? `since ${formatDayAndTime(startedAt, reader.timeZone)}`
      : outDurationText(startedAt, asOf.getTime()),
    groundedOnReturn: maintenanceSince !== null,
  };
}
