import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { lockFleet } from '../../aircraft/queries.server.ts';
import { groupBy } from '../group-by.ts';
import type { WriteContext } from '../write/write-records.server.ts';
import { NO_CHANGE_ID } from './find-timeline.server.ts';
import { planTimeline } from './plan-timeline.server.ts';
import { type Plan, PlanBuilder } from './plan.ts';

/** The plan fits no more: the work is done again, with a new plan. */
export class PlanOutdatedError extends Error {}

/**
 * Locks the aircraft of flights that were planned and written without a lock, and plans those anew of which something
 * else has changed since. Throws a PlanOutdatedError where a flight is not new, or does not fit.
 */
export async function assertPlanIsCurrent(
  { trx, schoolId, timeZone, options }: WriteContext,
  { added, stamps }: Pick<Plan<'flights'>, 'added' | 'stamps'>,
): Promise<void> {
  const ids = [...stamps.keys()];
  await lockFleet(trx, schoolId, ids);
  // The number under which this transaction's writes to a school are listed as changed.
  const exceptChange = sql<string>`(select current_change(${schoolId}))`;
  const now = await findAircraftStamps(trx, schoolId, ids, exceptChange);
  const changed = new Set(ids.filter((id) => now.get(id) !== stamps.get(id)));
  if (changed.size === 0) return;
  const context = { schoolId, timeZone, options, now: new Date(), headingOf: () => null };
  const byAircraft = groupBy(
    added.filter(({ aircraftId }) => changed.has(aircraftId)),
    ({ aircraftId }) => aircraftId,
  );
  for (const [aircraftId, flights] of byAircraft) {
    const plan = new PlanBuilder<'flights'>(context);
    const written = flights.map(({ record }) => record.startedAt.getTime());
    const fitting = await planTimeline(trx, context, plan, { aircraftId, flights, exceptChange });
    const isMoved = flights.some(({ record }, at) => record.startedAt.getTime() !== written[at]);
    if (!now.has(aircraftId) || fitting.length < flights.length || isMoved) throw new PlanOutdatedError();
  }
}

/** Of aircraft that are not deleted, a text that is another one after each change of their flights, readings or meters. */
export async function findAircraftStamps(
  db: Db | Trx,
  schoolId: number,
  aircraftIds: number[],
  exceptChange = NO_CHANGE_ID,
): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; stamp: string }>`
    select aircraft.id, concat_ws(' ', change_id, flights.stamp, meters.stamp) as stamp
    from aircraft
      cross join lateral (
        select concat_ws(' ', count(*), sum(change_id * flight_logs.id::numeric)) as stamp from flight_logs
        where flight_logs.school_id = aircraft.school_id and aircraft_id = aircraft.id
          and flight_logs.change_id <> ${exceptChange}
      ) as flights
      cross join lateral (
        select concat_ws(' ', count(*), max(id)) as stamp from meter_segments
        where meter_segments.school_id = aircraft.school_id and aircraft_id = aircraft.id
      ) as meters
    where aircraft.school_id = ${schoolId} and aircraft.id = any(${aircraftIds}::integer[]) and deleted_at is null`.execute(
    db,
  );
  return new Map(rows.map(({ id, stamp }) => [id, stamp]));
}
