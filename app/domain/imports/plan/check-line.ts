import { MAX_UNFLAGGED_GAP_HUNDREDTHS } from '#app/limits.ts';
import { formatDateTime } from '../../format.server.ts';
import { fromHundredths, toHundredths } from '../../reading.ts';
import type { AircraftLine, LineFlight } from './line.ts';
import type { PlanContext, PlannedFlight, Planning } from './plan.ts';

const METERS = [
  { name: 'Hobbs', start: 'startHobbs', end: 'endHobbs' },
  { name: 'tach', start: 'startTach', end: 'endTach' },
] as const;

/** Holds flights against those before and after them, in the file or the school; the rows that are refused. */
export function checkLine(
  plan: Planning<'flights'>,
  context: PlanContext,
  line: AircraftLine,
  flights: PlannedFlight[],
): Set<number> {
  const refused = new Set<number>();
  const doubt = (row: number, field: string, message: string) => {
    if (plan.doubt('oddReadings', row, field, message)) refused.add(row);
  };
  const ordered = [...line.flights, ...flights.map(toLineFlight)].sort((a, b) => a.start - b.start || a.end - b.end);
  const placeOf = (flight: LineFlight) =>
    flight.row === null ? formatDateTime(new Date(flight.start), context.timeZone).text : `row ${flight.row}`;
  let last: LineFlight | undefined;
  for (const flight of ordered) {
    const before = last;
    if (!before || flight.end >= before.end) last = flight;
    if (!before || (before.row === null && flight.row === null)) continue;
    const row = flight.row ?? before.row ?? 0;
    const other = flight.row === null ? flight : before;
    if (flight.start < before.end && flight.end > flight.start) {
      doubt(row, 'startedAt', `The flight overlaps another one of this aircraft (${placeOf(other)}).`);
    } else if (!line.changes.some((at) => at >= before.start && at <= flight.end)) {
      for (const meter of METERS) {
        const [end, start] = [before[meter.end], flight[meter.start]];
        if (end === null || start === null) continue;
        const isNewer = flight.row !== null;
        if (start < end)
          doubt(
            row,
            isNewer ? meter.start : meter.end,
            isNewer
              ? `${fromHundredths(start)} ${meter.name} is below ${fromHundredths(end)}, the reading before it (${placeOf(before)}).`
              : `${fromHundredths(end)} ${meter.name} is above ${fromHundredths(start)}, the reading after it (${placeOf(flight)}).`,
          );
        else if (start - end > MAX_UNFLAGGED_GAP_HUNDREDTHS)
          plan.remark(
            row,
            isNewer ? meter.start : meter.end,
            `${fromHundredths(start - end)} h of ${meter.name} are not logged ${isNewer ? 'before' : 'after'} this flight.`,
          );
      }
    }
  }
  return refused;
}

function toLineFlight({ row, startedAt, completedAt, ...readings }: PlannedFlight): LineFlight {
  return {
    row,
    start: startedAt.getTime(),
    end: completedAt.getTime(),
    startHobbs: toHundredths(readings.startHobbs),
    endHobbs: toHundredths(readings.endHobbs),
    startTach: toHundredths(readings.startTach),
    endTach: toHundredths(readings.endTach),
  };
}
