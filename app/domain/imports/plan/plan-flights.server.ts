import { setImmediate } from 'node:timers/promises';
import type { Db, Trx } from '#db/connect.server.ts';
import { IMPORT_BATCH_ROWS, MAX_CLOCK_SKEW_MINUTES } from '#app/limits.ts';
import { INSTRUCTING_ROLES } from '../../permissions.ts';
import { groupBy } from '../group-by.ts';
import type { FlightRecord } from '../records.ts';
import { checkLine } from './check-line.server.ts';
import { findFleetByTail, findPeopleByName, notInFleet } from './find-named.server.ts';
import { findLines } from './find-lines.server.ts';
import { type AircraftLine, isSameFlight, type LineFlight, minuteOf } from './line.ts';
import { type Plan, type PlanContext, type PlannedFlight, Planning } from './plan.ts';

/** A flight is known by aircraft and start, and one of its readings or the id it came with. */
export async function planFlights(
  db: Db | Trx,
  context: PlanContext,
  records: FlightRecord[],
): Promise<Plan<'flights'>> {
  const plan = new Planning<'flights'>(context);
  const flights = await resolveNames(db, context, plan, records);
  const byAircraft = groupBy(flights, ({ aircraftId }) => aircraftId);
  const lines = await findLines(db, context.schoolId, [...byAircraft.keys()]);
  for (const [aircraftId, ofAircraft] of byAircraft) {
    // Lets others in between.
    await setImmediate();
    const line: AircraftLine = lines.get(aircraftId) ?? { flights: [], changes: [], sourceIds: new Map() };
    const fresh = leaveOutPresent(plan, line, ofAircraft);
    const refused = checkLine(plan, context, line, fresh);
    plan.added.push(...fresh.filter(({ row }) => !refused.has(row)));
  }
  plan.added.sort((a, b) => a.row - b.row);
  return plan;
}

async function resolveNames(
  db: Db | Trx,
  context: PlanContext,
  plan: Planning<'flights'>,
  records: FlightRecord[],
): Promise<PlannedFlight[]> {
  const findAircraft = await findFleetByTail(db, context.schoolId);
  const findPerson = await findPeopleByName(db, context.schoolId);
  const latest = context.now.getTime() + MAX_CLOCK_SKEW_MINUTES * 60_000;
  const resolve = (record: FlightRecord): PlannedFlight[] => {
    const { row, instructor: instructorName } = record;
    const before = plan.problems.length;
    const aircraftId = findAircraft(record.tailNumber);
    const pilot = findPerson(record.pilot);
    const instructor = instructorName === null ? null : findPerson(instructorName);
    if (aircraftId === undefined) plan.refuse(row, 'tailNumber', notInFleet(record.tailNumber));
    if (typeof pilot === 'string') plan.refuse(row, 'pilot', pilot);
    if (typeof instructor === 'string') plan.refuse(row, 'instructor', instructor);
    else if (instructor && !INSTRUCTING_ROLES.includes(instructor.role))
      plan.refuse(row, 'instructor', `${instructorName} is no instructor here.`);
    if (record.completedAt.getTime() > latest) plan.refuse(row, 'completedAt', 'The flight ends in the future.');
    if (plan.problems.length > before || aircraftId === undefined) return [];
    if (typeof pilot === 'string' || typeof instructor === 'string') return [];
    const instructorId = instructor?.id ?? null;
    const times = instructorId === null ? { instructorTimeIn: null, instructorTimeOut: null } : {};
    return [{ ...record, ...times, aircraftId, pilotId: pilot.id, instructorId }];
  };
  const flights: PlannedFlight[] = [];
  for (const [at, record] of records.entries()) {
    if (at > 0 && at % IMPORT_BATCH_ROWS === 0) await setImmediate();
    flights.push(...resolve(record));
  }
  return flights;
}

/** Those that the school does not have yet; a flight that stands twice in the file is refused. */
function leaveOutPresent(plan: Planning<'flights'>, line: AircraftLine, flights: PlannedFlight[]): PlannedFlight[] {
  const known = groupBy(line.flights, minuteOf);
  const seen = new Map<number, PlannedFlight[]>();
  return flights.filter((flight) => {
    const minute = minuteOf({ start: flight.startedAt.getTime() });
    const there = findBySource(line, flight) ?? (known.get(minute) ?? []).find((other) => isSameFlight(other, flight));
    if (there) {
      plan.present += 1;
      return false;
    }
    const twin = (seen.get(minute) ?? []).find(
      ({ startHobbs, endHobbs }) => startHobbs === flight.startHobbs && endHobbs === flight.endHobbs,
    );
    seen.set(minute, [...(seen.get(minute) ?? []), flight]);
    if (twin) plan.refuse(flight.row, 'startedAt', `The same flight stands in row ${twin.row}.`);
    return !twin;
  });
}

const DAY_MS = 86_400_000;

/** Ids of two systems may be the same: the times must be near each other. */
function findBySource(line: AircraftLine, { sourceId, startedAt }: PlannedFlight): LineFlight | undefined {
  const imported = sourceId === null ? undefined : line.sourceIds.get(sourceId);
  return imported && Math.abs(imported.start - startedAt.getTime()) < DAY_MS ? imported : undefined;
}
