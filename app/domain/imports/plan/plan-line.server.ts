import { setImmediate } from 'node:timers/promises';
import type { Db, Trx } from '#db/connect.server.ts';
import { IMPORT_SLICE_ROWS } from '#app/limits.ts';
import { groupBy } from '../group-by.ts';
import { checkLine } from './check-line.server.ts';
import { findLine } from './find-line.server.ts';
import { type AircraftLine, isSameFlight, type LineFlight, minuteOf } from './line.ts';
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
  const line = await findLine(db, { schoolId: context.schoolId, ...of });
  const fresh = await leaveOutPresent(plan, line, flights);
  const refused = await checkLine(plan, context, line, fresh);
  return fresh.filter(({ row }) => !refused.has(row));
}

/** Those that the school does not have yet; a flight that stands twice in the file is refused. */
async function leaveOutPresent(
  plan: Planning<'flights'>,
  line: AircraftLine,
  flights: PlannedFlight[],
): Promise<PlannedFlight[]> {
  const known = groupBy(line.flights, minuteOf);
  const seen = new Map<number, PlannedFlight[]>();
  const fresh: PlannedFlight[] = [];
  for (const [at, flight] of flights.entries()) {
    if (at % IMPORT_SLICE_ROWS === 0) await setImmediate();
    const minute = minuteOf({ start: flight.startedAt.getTime() });
    const there = findBySource(line, flight) ?? (known.get(minute) ?? []).find((other) => isSameFlight(other, flight));
    if (there) {
      plan.present += 1;
      continue;
    }
    const twin = (seen.get(minute) ?? []).find(
      ({ startHobbs, endHobbs }) => startHobbs === flight.startHobbs && endHobbs === flight.endHobbs,
    );
    seen.set(minute, [...(seen.get(minute) ?? []), flight]);
    if (twin) plan.refuse(flight.row, 'startedAt', `The same flight stands in row ${twin.row}.`);
    else fresh.push(flight);
  }
  return fresh;
}

const DAY_MS = 86_400_000;

/** Ids of two systems may be the same: the times must be near each other. */
function findBySource(line: AircraftLine, { sourceId, startedAt }: PlannedFlight): LineFlight | undefined {
  const imported = sourceId === null ? undefined : line.sourceIds.get(sourceId);
  return imported && Math.abs(imported.start - startedAt.getTime()) < DAY_MS ? imported : undefined;
}
