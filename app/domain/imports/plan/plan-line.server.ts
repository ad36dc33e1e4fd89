import { setImmediate } from 'node:timers/promises';
import type { Db, Trx } from '#db/connect.server.ts';
import { IMPORT_SLICE_ROWS } from '#app/limits.ts';
import { groupBy } from '../group-by.ts';
import type { FlightRecord } from '../records.ts';
import { checkLine } from './check-line.server.ts';
import { findLine } from './find-line.server.ts';
import { type AircraftLine, isSameFlight, type TimedReadings, minuteOf } from './line.ts';
import type { PlanContext, PlannedFlight, Planning } from './plan.ts';

interface OfAircraft {
  aircraftId: number;
  flights: PlannedFlight[];
  exceptChange?: string;
}

/** Those of an aircraft's flights that are new and fit. */
export async function planLine(
  db: Db | Trx,
  context: PlanContext,
  plan: Planning<'flights'>,
  { flights, ...of }: OfAircraft,
): Promise<PlannedFlight[]> {
  const withSources = flights.some(({ record }) => record.sourceId !== null);
  const line = await findLine(db, { schoolId: context.schoolId, withSources, ...of });
  const fresh = await leaveOutPresent(plan, line, flights);
  const refused = await checkLine(plan, context, line, fresh);
  return fresh.filter(({ record }) => !refused.has(record.row));
}

/** Those that the school does not have yet; a flight that stands twice in the file is refused. */
async function leaveOutPresent(
  plan: Planning<'flights'>,
  line: AircraftLine,
  flights: PlannedFlight[],
): Promise<PlannedFlight[]> {
  const known = groupBy(line.flights, minuteOf);
  const seen = new Map<string, number>();
  const fresh: PlannedFlight[] = [];
  for (const [at, flight] of flights.entries()) {
    if (at % IMPORT_SLICE_ROWS === 0) await setImmediate();
    const { record } = flight;
    const minute = minuteOf({ start: record.startedAt.getTime() });
    const there = findBySource(line, record) ?? known.get(minute)?.find((other) => isSameFlight(other, record));
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
function findBySource(line: AircraftLine, { sourceId, startedAt }: FlightRecord): TimedReadings | undefined {
  const imported = sourceId === null ? undefined : line.sourceIds.get(sourceId);
  return imported && Math.abs(imported.start - startedAt.getTime()) < DAY_MS ? imported : undefined;
}
