import { setImmediate } from 'node:timers/promises';
import type { Db, Trx } from '#db/connect.server.ts';
import { IMPORT_SLICE_ROWS } from '#app/limits.ts';
import { groupBy } from '../group-by.ts';
import type { FlightRecord } from '../records.ts';
import { checkTimeline } from './check-timeline.server.ts';
import { findTimeline } from './find-timeline.server.ts';
import { type AircraftTimeline, isSameFlight, type TimedReadings, minuteOf } from './aircraft-timeline.ts';
import type { PlanContext, PlannedFlight, Planning } from './plan.ts';

interface OfAircraft {
  aircraftId: number;
  flights: PlannedFlight[];
  exceptChange?: string;
}

/** Those of an aircraft's flights that are new and fit. */
export async function planTimeline(
  db: Db | Trx,
  context: PlanContext,
  plan: Planning<'flights'>,
  { flights, ...of }: OfAircraft,
): Promise<PlannedFlight[]> {
  const withSources = flights.some(({ record }) => record.sourceId !== null);
  const timeline = await findTimeline(db, { schoolId: context.schoolId, withSources, ...of });
  const fresh = await leaveOutPresent(plan, timeline, flights);
  const refused = await checkTimeline(plan, context, timeline, fresh);
  return fresh.filter(({ record }) => !refused.has(record.row));
}

/** Those that the school does not have yet; a flight that stands twice in the file is refused. */
async function leaveOutPresent(
  plan: Planning<'flights'>,
  timeline: AircraftTimeline,
  flights: PlannedFlight[],
): Promise<PlannedFlight[]> {
  const known = groupBy(timeline.flights, minuteOf);
  const seen = new Map<string, number>();
  const fresh: PlannedFlight[] = [];
  for (const [at, flight] of flights.entries()) {
    if (at % IMPORT_SLICE_ROWS === 0) await setImmediate();
    const { record } = flight;
    const minute = minuteOf({ start: record.startedAt.getTime() });
    const there = findBySource(timeline, record) ?? known.get(minute)?.find((other) => isSameFlight(other, record));
    if (there) {
      plan.present += 1;
      continue;
    }
    const key = `${minute} ${record.startHobbs} ${record.endHobbs}`;
    const twin = seen.get(key);
    if (twin === undefined) {
      seen.set(key, record.row);
      fresh.push(flight);
    } else plan.refuse(record.row, 'startedAt', `The same flight stands in row ${twin}.`);
  }
  return fresh;
}

const DAY_MS = 86_400_000;

/** Ids of two systems may be the same: the times must be near each other. */
function findBySource(timeline: AircraftTimeline, { sourceId, startedAt }: FlightRecord): TimedReadings | undefined {
  const imported = sourceId === null ? undefined : timeline.sourceIds.get(sourceId);
  return imported && Math.abs(imported.start - startedAt.getTime()) < DAY_MS ? imported : undefined;
}
