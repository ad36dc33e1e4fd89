import type { RawBuilder } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { MS_PER_DAY } from '#app/limits.ts';
import { formatDateTime } from '../../format.server.ts';
import { fromHundredths, toHundredths } from '../../reading.ts';
import { DayIndex } from '../group-by.ts';
import { METER_READING_FIELDS } from '../reading/fields.ts';
import type { FlightRecord } from '../records.ts';
import { forEachInSlices } from '../slices.ts';
import { batchesOf } from '../write/write-records.server.ts';
import { refuseTimelineMisfits } from './check-timeline.server.ts';
import { findTimeline } from './find-timeline.server.ts';
import { differencesFrom, type StoredValues, toStoredValues, type WordingContext } from './facts.server.ts';
import { findStoredFlights, FLIGHT_FACTS } from './flight-facts.server.ts';
import {
  type AircraftTimeline,
  isAtSameTime,
  assignTimesToUntimed,
  orderTimeline,
  readingsKey,
  type TimedReadings,
} from './aircraft-timeline.ts';
import type { PlanContext, PlannedFlight, PlanBuilder } from './plan.ts';

interface OfAircraft {
  aircraftId: number;
  flights: PlannedFlight[];
  exceptChange?: RawBuilder<string>;
  usernameOf?: (id: number) => string;
}

/** Those of an aircraft's flights that are new and fit; makes up the times of those that have none. */
export async function planTimeline(
  db: Db | Trx,
  context: PlanContext,
  plan: PlanBuilder<'flights'>,
  { flights, usernameOf = String, ...of }: OfAircraft,
): Promise<PlannedFlight[]> {
  const timeline = await findTimeline(db, { schoolId: context.schoolId, ...of });
  const words = { timeZone: context.timeZone, usernameOf };
  const { fresh, there } = await findThere(plan, timeline, flights, words);
  await tellThere(db, context, plan, there, words);
  const ordered = await orderTimeline([...timeline.flights, ...timeline.readings, ...fresh.keys()]);
  assignTimesToUntimed(ordered, context.now.getTime());
  for (const [{ day, start, end }, { record }] of fresh)
    if (day !== null) [record.startedAt, record.completedAt] = [new Date(start), new Date(end)];
  const refused = await refuseTimelineMisfits(plan, context, ordered, timeline.changes);
  return [...fresh.values()].filter(({ record }) => !refused.has(record.row));
}

interface Rows {
  /** Those that the school does not have yet. */
  fresh: Map<TimedReadings, PlannedFlight>;
  there: RowOfThere[];
}

interface RowOfThere {
  there: TimedReadings;
  line: TimedReadings;
  flight: PlannedFlight;
}

/** Tells the rows apart; a flight that stands twice in the file is refused. */
async function findThere(
  plan: PlanBuilder<'flights'>,
  timeline: AircraftTimeline,
  flights: PlannedFlight[],
  words: WordingContext,
): Promise<Rows> {
  const seen = new DayIndex<TimedReadings>();
  const rows: Rows = { fresh: new Map(), there: [] };
  await forEachInSlices(flights, (flight) => {
    const { record } = flight;
    const line = toTimedReadings(record);
    const key = readingsKey(line);
    const isSame = (other: TimedReadings) => isAtSameTime(other, line);
    const there = findBySource(timeline, record, line) ?? timeline.byReadings.find(key, line.start, isSame);
    const twin = there ? undefined : seen.find(key, line.start, isSame);
    const first = twin && rows.fresh.get(twin);
    if (there) rows.there.push({ there, line, flight });
    else if (first) {
      const stored = withoutMadeUpTimes(toStoredValues(FLIGHT_FACTS, first), twin, line);
      plan.foundTwice(record.row, first.record.row, differencesFrom(FLIGHT_FACTS, stored, flight, words));
    } else {
      seen.add(key, line.start, line);
      rows.fresh.set(line, flight);
    }
  });
  return rows;
}

/** Names the flight of each row that is there, and what the two say otherwise. */
async function tellThere(
  db: Db | Trx,
  { schoolId }: PlanContext,
  plan: PlanBuilder<'flights'>,
  rows: RowOfThere[],
  words: WordingContext,
): Promise<void> {
  for await (const batch of batchesOf(rows)) {
    const stored = await findStoredFlights(
      db,
      schoolId,
      batch.map(({ there }) => there.id ?? 0),
    );
    for (const { there, line, flight } of batch) {
      const here = withoutMadeUpTimes(stored.get(there.id ?? 0) ?? {}, there, line);
      const { record } = flight;
      plan.foundThere(
        record.row,
        () => nameOf(there, record, words),
        differencesFrom(FLIGHT_FACTS, here, flight, words),
      );
    }
  }
}

/** A time that makes the two the same flight is no difference, nor one that nobody wrote. */
function withoutMadeUpTimes(stored: StoredValues, there: TimedReadings, line: TimedReadings): StoredValues {
  return {
    ...stored,
    ...(isAtSameTime(there, line) && { created_at: undefined }),
    ...(there.day !== null && { completed_at: undefined }),
  };
}

/** 'The flight of N1 on 10 Jun 2025, 09:00 (Hobbs 10.00 to 11.00)' */
function nameOf(
  { start, startHobbs, endHobbs }: TimedReadings,
  { tailNumber }: FlightRecord,
  { timeZone }: WordingContext,
) {
  const [from, to] = [startHobbs, endHobbs].map((reading) => (reading === null ? '–' : fromHundredths(reading)));
  return `The flight of ${tailNumber}, ${formatDateTime(new Date(start), timeZone).text} (Hobbs ${from} to ${to})`;
}

function toTimedReadings(record: FlightRecord): TimedReadings {
  const { untimed } = record;
  return {
    row: record.row,
    start: untimed?.day ?? record.startedAt.getTime(),
    end: untimed ? untimed.day + untimed.length : record.completedAt.getTime(),
    day: untimed?.day ?? null,
    startHobbs: toHundredths(record.startHobbs),
    endHobbs: toHundredths(record.endHobbs),
    startTach: toHundredths(record.startTach),
    endTach: toHundredths(record.endTach),
  };
}

/** Ids of two systems may be the same: the times must be near each other, and a reading of them the same. */
function findBySource(
  timeline: AircraftTimeline,
  { sourceId }: FlightRecord,
  line: TimedReadings,
): TimedReadings | undefined {
  const imported = sourceId === null ? undefined : timeline.sourceIds.get(sourceId);
  if (!imported || Math.abs(imported.start - line.start) >= MS_PER_DAY) return undefined;
  return METER_READING_FIELDS.some((reading) => imported[reading] === line[reading]) ? imported : undefined;
}
