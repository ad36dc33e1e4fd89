import type { Db, Trx } from '#db/connect.server.ts';
import { MAX_CLOCK_SKEW_MINUTES } from '#app/limits.ts';
import { INSTRUCTING_ROLES } from '../../permissions.ts';
import { groupBy } from '../group-by.ts';
import { headingWords } from '../reading/heading-words.ts';
import type { FlightRecord } from '../records.ts';
import { forEachInSlices } from '../slices.ts';
import { findAircraftStamps } from './assert-plan-is-current.server.ts';
import { findFleetByTail, findPeopleByName, notInFleetText, type PeopleLookup } from './find-named.server.ts';
import { planTimeline } from './plan-timeline.server.ts';
import { type Plan, type PlanContext, type PlannedFlight, PlanBuilder } from './plan.ts';

/** A flight is known by aircraft, readings, and its start or, without clock times, its day; or by the id it came with. */
export async function planFlights(
  db: Db | Trx,
  context: PlanContext,
  records: FlightRecord[],
): Promise<Plan<'flights'>> {
  const plan = new PlanBuilder<'flights'>(context);
  const people = await findPeopleByName(db, context.schoolId);
  const flights = await resolveNames(db, context, plan, records, people.find);
  const byAircraft = groupBy(flights, ({ aircraftId }) => aircraftId);
  // Before the flights themselves: what changes in between is seen.
  plan.stamps = await findAircraftStamps(db, context.schoolId, [...byAircraft.keys()]);
  const fitting = new Set<number>();
  for (const [aircraftId, ofAircraft] of byAircraft)
    for (const { record } of await planTimeline(db, context, plan, {
      aircraftId,
      flights: ofAircraft,
      usernameOf: people.usernameOf,
    }))
      fitting.add(record.row);
  for (const flight of flights) if (fitting.has(flight.record.row)) plan.added.push(flight);
  return plan;
}

async function resolveNames(
  db: Db | Trx,
  context: PlanContext,
  plan: PlanBuilder<'flights'>,
  records: FlightRecord[],
  findPerson: PeopleLookup['find'],
): Promise<PlannedFlight[]> {
  const findAircraft = await findFleetByTail(db, context.schoolId);
  const latest = context.now.getTime() + MAX_CLOCK_SKEW_MINUTES * 60_000;
  // 'Begleiter/FI' holds whoever came along.
  const isForOthersToo = headingWords(context.headingOf('instructor') ?? '').unknown > 0;
  const resolve = (record: FlightRecord): PlannedFlight | undefined => {
    const { row, instructor: instructorName } = record;
    const before = plan.problems.length;
    const aircraftId = findAircraft(record.tailNumber)?.id;
    const pilot = findPerson(record.pilot);
    const named = instructorName == null ? null : findPerson(instructorName);
    const isInstructor = named === null || (typeof named !== 'string' && INSTRUCTING_ROLES.includes(named.role));
    const instructor = isInstructor || !isForOthersToo ? named : null;
    if (instructor !== named)
      plan.remark(row, 'instructor', `${instructorName} is no instructor here: the flight comes without one.`);
    if (aircraftId === undefined) plan.refuse(row, 'aircraft', notInFleetText(record.tailNumber));
    if (typeof pilot === 'string') plan.refuse(row, 'pilot', pilot);
    if (typeof instructor === 'string') plan.refuse(row, 'instructor', instructor);
    else if (instructor && !INSTRUCTING_ROLES.includes(instructor.role))
      plan.refuse(row, 'instructor', `${instructorName} is no instructor here.`);
    if (!record.untimed && record.completedAt.getTime() > latest)
      plan.refuse(row, 'end', 'The flight ends in the future.');
    for (const { field, message } of record.doubts) plan.doubt('oddReadings', row, field, message);
    if (plan.problems.length > before || aircraftId === undefined) return undefined;
    if (typeof pilot === 'string' || typeof instructor === 'string') return undefined;
    return { record, aircraftId, pilotId: pilot.id, instructorId: instructor?.id ?? null };
  };
  const flights: PlannedFlight[] = [];
  await forEachInSlices(records, (record) => {
    const flight = resolve(record);
    if (flight) flights.push(flight);
  });
  return flights;
}
