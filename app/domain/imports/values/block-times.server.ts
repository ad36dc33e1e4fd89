import { MAX_CLOCK_SKEW_MINUTES, MAX_DEPARTURE_BEFORE_CHECK_OUT_HOURS, MS_PER_HOUR } from '#app/limits.ts';
import type { FlightRecord } from '../records.ts';
import { parseMoment } from './days.ts';
import type { RowReader } from './row-reader.ts';

type Flight = Pick<FlightRecord, 'startedAt' | 'completedAt'>;

/** When it departed and landed, where that is not when it started and ended. */
export function readBlockTimes(row: RowReader, flight: Flight): Pick<FlightRecord, 'departedAt' | 'landedAt'> {
  const departedAt = readInstant(row, 'departed', flight.startedAt);
  const landedAt = readInstant(row, 'landed', flight.completedAt);
  if (!departedAt && !landedAt) return { departedAt, landedAt };
  const [departed, landed] = [departedAt ?? flight.startedAt, landedAt ?? flight.completedAt];
  const earliest = flight.startedAt.getTime() - MAX_DEPARTURE_BEFORE_CHECK_OUT_HOURS * MS_PER_HOUR;
  const latest = flight.completedAt.getTime() + MAX_CLOCK_SKEW_MINUTES * 60_000;
  if (departed.getTime() < earliest)
    row.refuse('departed', `This is more than ${MAX_DEPARTURE_BEFORE_CHECK_OUT_HOURS} h before the start.`);
  if (landed.getTime() > latest) row.refuse('landed', 'This flight lands after its end.');
  else if (landed < departed) row.refuse(departedAt ? 'departed' : 'landed', 'This flight lands before it departs.');
  return { departedAt, landedAt };
}

/** Null where it is `usual`, or not written. */
function readInstant(row: RowReader, field: string, usual: Date): Date | null {
  const moment = row.parsed(field, (text, { dates }) => parseMoment(text, dates));
  if (!moment || moment.clock === null) return null;
  const instants = row.instants(field, moment) ?? [];
  const [first] = instants;
  return instants.some((instant) => instant.getTime() === usual.getTime()) ? null : (first ?? null);
}
