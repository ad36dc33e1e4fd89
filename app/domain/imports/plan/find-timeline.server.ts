import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { DayIndex, groupBy } from '../group-by.ts';
import { forEachInSlices } from '../slices.ts';
import { type AircraftTimeline, readingsKey, type TimedReadings } from './aircraft-timeline.ts';

interface Of {
  schoolId: number;
  aircraftId: number;
  /** Flights that this change has written are left out. */
  exceptChange?: RawBuilder<string>;
}

export const NO_CHANGE_ID = sql<string>`-1`;

/** The flights of an aircraft, and the readings that were saved between them. */
export async function findTimeline(db: Db | Trx, of: Of): Promise<AircraftTimeline> {
  const flights = await findFlights(db, of);
  const origins = await findOrigins(db, of, flights);
  const corrections = await findCorrections(db, of, flights);
  const known: TimedReadings[] = [];
  const sourceIds = new Map<string, TimedReadings>();
  const byReadings = new DayIndex<TimedReadings>();
  const ends: WrittenEnd[] = [];
  await forEachInSlices(flights, ({ id, enteredAt, ...flight }) => {
    const { source = null, day = null } = origins.get(id) ?? {};
    const one = { ...flight, id, end: flight.end ?? Infinity, day, row: null };
    known.push(one);
    if (source !== null) sourceIds.set(source, one);
    const corrected = corrections.get(id) ?? [];
    for (const key of formerKeys(one, corrected)) byReadings.add(key, one.start, one);
    ends.push({ ...flight, writtenAt: [one.end, enteredAt, ...corrected.map((correction) => correction.at)] });
  });
  const readings = await findSavedReadings(db, of, ends);
  return { flights: known, readings, changes: await findMeterChanges(db, of), sourceIds, byReadings };
}

/** As numbers, which take less time and memory than dates and texts. */
async function findFlights(db: Db | Trx, { schoolId, aircraftId, exceptChange = NO_CHANGE_ID }: Of) {
  const { rows } = await sql<
    Omit<TimedReadings, 'end' | 'day'> & { id: number; end: number | null; enteredAt: number | null }
  >`
    select id, ${milliseconds('created_at')} as start, ${milliseconds('completed_at')} as end,
      ${hundredths('start_hobbs')} as "startHobbs", ${hundredths('end_hobbs')} as "endHobbs",
      ${hundredths('start_tach')} as "startTach", ${hundredths('end_tach')} as "endTach",
      ${milliseconds('entered_at')} as "enteredAt"
    from flight_logs
    where school_id = ${schoolId} and aircraft_id = ${aircraftId} and voided_at is null
      and change_id <> ${exceptChange}`.execute(db);
  return rows;
}

/** The id that a flight had where it came from, and the day of one that came without clock times. */
interface Origin {
  id: number;
  source: string | null;
  day: number | null;
}

/** By a list rather than a join, which scans all rows for each flight until Postgres has counted them. */
async function findOrigins(db: Db | Trx, { schoolId }: Of, flights: { id: number }[]): Promise<Map<number, Origin>> {
  const { rows } = await sql<Origin>`
    select flight_log_id as id, source_id as source, (after ->> 'day')::float8 as day from import_rows
    where school_id = ${schoolId} and (source_id is not null or after is not null)
      and flight_log_id = any(${flights.map(({ id }) => id)}::integer[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

interface Correction {
  id: number;
  field: 'startHobbs' | 'endHobbs' | 'startTach' | 'endTach';
  before: number;
  at: number;
}

/** Finds the readings that flights had before they were corrected, the newest first. */
async function findCorrections(
  db: Db | Trx,
  { schoolId }: Of,
  flights: { id: number }[],
): Promise<Map<number, Correction[]>> {
  const { rows } = await sql<Correction>`
    select flight_log_id as id, case field when 'start_hobbs' then 'startHobbs' when 'end_hobbs' then 'endHobbs'
      when 'start_tach' then 'startTach' else 'endTach' end as field,
      ${hundredths('old_value')} as before, ${milliseconds('created_at')} as at
    from flight_log_revisions
    where school_id = ${schoolId} and flight_log_id = any(${flights.map(({ id }) => id)}::integer[])
      and field in ('start_hobbs', 'end_hobbs', 'start_tach', 'end_tach') and old_value is not null
    order by id desc`.execute(db);
  return groupBy(rows, ({ id }) => id);
}

/** Returns the keys of a flight's readings, and of those that it had before each correction. */
function formerKeys(flight: TimedReadings, corrections: Correction[]): Set<string> {
  const keys = new Set([readingsKey(flight)]);
  const former = { ...flight };
  for (const [at, { field, before, at: time }] of corrections.entries()) {
    former[field] = before;
    if (corrections[at + 1]?.at !== time) keys.add(readingsKey(former));
  }
  return keys;
}

const milliseconds = (column: string) => sql`floor(extract(epoch from ${sql.ref(column)}) * 1000)::float8`;
const hundredths = (column: string) => sql`(${sql.ref(column)} * 100)::integer`;

async function findMeterChanges(db: Db | Trx, { schoolId, aircraftId }: Of): Promise<number[]> {
  const changes = await db
    .selectFrom('meter_segments')
    .select('started_at')
    .where('school_id', '=', schoolId)
    .where('aircraft_id', '=', aircraftId)
    .where('reason', '<>', 'new aircraft')
    .execute();
  return changes.map(({ started_at }) => started_at.getTime());
}

/** What a flight ended with, and when that was written: at its end, which may be made up, by entering or by correcting it. */
interface WrittenEnd {
  endHobbs: number | null;
  endTach: number | null;
  writtenAt: (number | null)[];
}

/** Finds the last readings, unless they are the end of a flight. */
async function findSavedReadings(
  db: Db | Trx,
  { schoolId, aircraftId }: Of,
  ends: WrittenEnd[],
): Promise<TimedReadings[]> {
  const { rows } = await sql<{ hobbs: number | null; tach: number | null; at: number }>`
    select hobbs, tach, at from aircraft cross join lateral (values
      (${hundredths('last_hobbs')}, null::integer, ${milliseconds('last_hobbs_at')}),
      (null, ${hundredths('last_tach')}, ${milliseconds('last_tach_at')})
    ) as saved (hobbs, tach, at)
    where school_id = ${schoolId} and id = ${aircraftId} and at is not null and num_nonnulls(hobbs, tach) = 1`.execute(
    db,
  );
  const isEnd = ({ hobbs, tach, at }: (typeof rows)[number]) =>
    ends.some((end) => (hobbs === null ? end.endTach === tach : end.endHobbs === hobbs) && end.writtenAt.includes(at));
  return rows
    .filter((saved) => !isEnd(saved))
    .map(({ hobbs, tach, at }) => ({
      ...{ start: at, end: at, day: null, row: null },
      ...{ startHobbs: hobbs, endHobbs: hobbs, startTach: tach, endTach: tach },
    }));
}
