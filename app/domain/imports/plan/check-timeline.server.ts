import { MAX_UNFLAGGED_GAP_HUNDREDTHS } from '#app/limits.ts';
import { formatDateTime } from '../../format.server.ts';
import { fromHundredths } from '../../reading.ts';
import { type Meter, METERS } from '../reading/fields.ts';
import { forEachInSlices } from '../slices.ts';
import { spanOf, type TimedReadings } from './aircraft-timeline.ts';
import type { PlanContext, PlanBuilder } from './plan.ts';

/** Holds flights, in their order, against those before and after them, in the file or the school; the rows that are refused. */
export async function refuseTimelineMisfits(
  plan: PlanBuilder<'flights'>,
  context: PlanContext,
  ordered: TimedReadings[],
  meterChanges: number[],
): Promise<Set<number>> {
  const check = new TimelineCheck(plan, context, meterChanges);
  let latest: TimedReadings | undefined;
  const read: Partial<Record<Meter['name'], TimedReadings>> = {};
  await forEachInSlices(ordered, (flight) => {
    const overlaps = latest !== undefined && flight.day === null && check.overlap(latest, flight);
    if (flight.day === null && (!latest || flight.end >= latest.end)) latest = flight;
    for (const meter of METERS) {
      const before = read[meter.name];
      if (before && !overlaps) check.readings(before, flight, meter);
      if (flight[meter.end] !== null) read[meter.name] = flight;
    }
  });
  return check.refused;
}

class TimelineCheck {
  readonly refused = new Set<number>();

  constructor(
    private readonly plan: PlanBuilder<'flights'>,
    private readonly context: PlanContext,
    private readonly meterChanges: number[],
  ) {}

  overlap(before: TimedReadings, flight: TimedReadings): boolean {
    const row = flight.row ?? before.row;
    // A reading that was saved between flights takes no time.
    const isOverlap = flight.start < before.end && flight.end > flight.start;
    if (row === null || !isOverlap) return false;
    const other = flight.row === null ? flight : before;
    this.#doubt(row, 'start', `The flight overlaps another one of this aircraft (${this.#place(other)}).`);
    return true;
  }

  readings(before: TimedReadings, flight: TimedReadings, meter: Meter): void {
    const [end, start] = [before[meter.end], flight[meter.start]];
    const [from, to] = [spanOf(before).from, spanOf(flight).to];
    const isChanged = this.meterChanges.some((at) => at >= from && at <= to);
    if (end === null || start === null || isChanged) return;
    const isAfter = flight.row === null;
    const row = isAfter ? before.row : flight.row;
    if (row === null) return;
    const [field, where] = isAfter ? [meter.end, 'after'] : [meter.start, 'before'];
    const [last, first] = [fromHundredths(end), fromHundredths(start)];
    if (start < end) {
      const text = isAfter
        ? `${last} ${meter.name} is above ${first}, the reading after it (${this.#place(flight)}).`
        : `${first} ${meter.name} is below ${last}, the reading before it (${this.#place(before)}).`;
      this.#doubt(row, field, text);
    } else if (start - end > MAX_UNFLAGGED_GAP_HUNDREDTHS) {
      const hours = `${fromHundredths(start - end)} h of ${meter.name}`;
      this.plan.remark(row, field, `${hours} are not logged ${where} this flight.`);
    }
  }

  #doubt(row: number, field: string, message: string): void {
    if (this.plan.doubt('oddReadings', row, field, message)) this.refused.add(row);
  }

  #place({ row, start, end }: TimedReadings): string {
    return row === null
      ? formatDateTime(new Date(end === Infinity ? start : end), this.context.timeZone).text
      : `row ${row}`;
  }
}
