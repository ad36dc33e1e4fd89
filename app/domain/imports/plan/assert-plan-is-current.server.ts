import { lockFleet } from '../../aircraft/queries.server.ts';
import { groupBy } from '../group-by.ts';
import type { WriteContext } from '../write/write-context.ts';
import { findAircraftStamps, findOwnChange } from './aircraft-stamps.server.ts';
import { planTimeline } from './plan-timeline.server.ts';
import { type Plan, Planning } from './plan.ts';

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
  const exceptChange = await findOwnChange(trx, schoolId);
  const now = await findAircraftStamps(trx, schoolId, ids, exceptChange);
  const changed = new Set(ids.filter((id) => now.get(id) !== stamps.get(id)));
  if (changed.size === 0) return;
  const context = { schoolId, timeZone, options, now: new Date(), headingOf: () => null };
  const byAircraft = groupBy(
    added.filter(({ aircraftId }) => changed.has(aircraftId)),
    ({ aircraftId }) => aircraftId,
  );
  for (const [aircraftId, flights] of byAircraft) {
    const plan = new Planning<'flights'>(context);
    const written = flights.map(({ record }) => record.startedAt.getTime());
    const fitting = await planTimeline(trx, context, plan, { aircraftId, flights, exceptChange });
    const isMoved = flights.some(({ record }, at) => record.startedAt.getTime() !== written[at]);
    if (!now.has(aircraftId) || fitting.length < flights.length || isMoved) throw new PlanOutdatedError();
  }
}
