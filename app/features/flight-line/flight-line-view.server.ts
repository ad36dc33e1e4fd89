import type { Actor } from '#app/domain/actor.ts';
import {
  CONDITION_KINDS,
  CONDITION_LABELS,
  type ConditionKind,
  isGrave,
} from '#app/domain/aircraft/find-conditions.ts';
import { conditionsOfRow, dueOfRow } from '#app/domain/aircraft/condition-queries.server.ts';
import { findFlightLine, type FlightLineRow } from '#app/domain/flight-line/queries.server.ts';
import { clipToTape } from '#app/domain/flight-line/tape.ts';
import { formatDayAndTime, formatTime } from '#app/domain/format.server.ts';
import { can } from '#app/domain/permissions.ts';
import { outDurationText } from '#app/features/aircraft/open-flight.server.ts';
import { whoAddsAircraft } from '#app/features/flights/next-steps.server.ts';
import { db } from '#app/server/db.server.ts';

export type FlightLineView = Awaited<ReturnType<typeof loadFlightLine>>;
export type FlightLineAircraft = ReturnType<typeof toAircraft>;

export async function loadFlightLine(reader: Actor) {
  const rows = await findFlightLine(db, reader);
  const asOf = rows[0]?.asOf ?? new Date();
  const { outCount = 0, maintenanceCount = 0, attentionCount = 0, aircraftCount = 0 } = rows[0] ?? {};
  const isFlying = rows.some(({ pilotId }) => pilotId === reader.id);
  return {
    asOf: formatTime(asOf, reader.timeZone),
    counts: [
      `${outCount} out`,
      ...(attentionCount > 0 ? [`${attentionCount} ${attentionCount === 1 ? 'needs' : 'need'} attention`] : []),
      `${aircraftCount - outCount - attentionCount - maintenanceCount} available`,
      `${maintenanceCount} in maintenance`,
    ].join(' · '),
    now: rows[0]?.minute ?? null,
    more: aircraftCount - rows.length,
    canCheckOut: can(reader.role, 'check out aircraft') && !isFlying,
    whoAdds: whoAddsAircraft(reader),
    rows: rows.map((row) => toAircraft(row, reader, asOf)).toSorted((a, b) => rankOf(a) - rankOf(b)),
  };
}

function toAircraft(row: FlightLineRow, reader: Actor, asOf: Date) {
  const { id, tailNumber, last_hobbs: hobbs, openSquawks, startMinute, minute, flights } = row;
  const known = conditionsOfRow(row);
  const over = known.filter(({ kind }) => kind === 'deferral_over');
  const condition = known[0]?.kind ?? null;
  const [due] = dueOfRow(row);
  const flown = flights.map(({ from, to }) => clipToTape(from, to)).filter((part) => part !== null);
  return {
    id,
    tailNumber,
    state: stateOf(row, condition),
    condition,
    hobbs,
    flight: toOpenFlight(row, reader, asOf),
    unsafe: condition === 'unsafe' ? CONDITION_LABELS.unsafe : null,
    deferral: over[0]?.text ?? null,
    squawks: (openSquawks ?? 0) + over.length,
    due: due ? { name: due.name, text: due.text, kind: due.kind } : null,
    flown,
    flying: row.flightId === null ? null : clipToTape(startMinute, minute),
  };
}

/** Ranks what needs somebody first, then what is out, then what is free; the gravest condition first in each; flights by their time. */
function rankOf({ state, condition }: FlightLineAircraft): number {
  const rank = STATES.indexOf(state) * STATES.length;
  const counts = condition !== null && (isGrave(condition) || state === 'available');
  return rank + (counts ? CONDITION_KINDS.indexOf(condition) : CONDITION_KINDS.length);
}

const STATES = ['overdue', 'attention', 'out', 'available', 'maintenance'] as const;
type FlightLineState = (typeof STATES)[number];

function stateOf(
  { flightId, overdue, maintenanceSince }: FlightLineRow,
  condition: ConditionKind | null,
): FlightLineState {
  if (flightId !== null) return overdue ? 'overdue' : 'out';
  if (maintenanceSince !== null) return 'maintenance';
  return isGrave(condition) ? 'attention' : 'available';
}

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
