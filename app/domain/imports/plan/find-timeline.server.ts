import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { IMPORT_SLICE_ROWS } from '#app/limits.ts';
import type { AircraftTimeline, TimedReadings } from './aircraft-timeline.ts';

interface Of {
  schoolId: number;
  aircraftId: number;
  /** Flights that this change has written are left out. */
  exceptChange?: string;
  /** Whether the ids are wanted that flights had where they came from. */
  withSources?: boolean;
}

/** The flights of an aircraft, and the readings that were saved between them. */
export async function findTimeline(db: Db | Trx, of: Of): Promise<AircraftTimeline> {
  const timeline: AircraftTimeline = { flights: [], changes: [], sourceIds: new Map() };
  const flights = await findFlights(db, of);
  const sources = of.withSources ? await findSources(db, of, flights) : new Map<number, string>();
  for (const [at, { id, ...flight }] of flights.entries()) {
    if (at % IMPORT_SLICE_ROWS === 0) await setImmediate();
    const known = { ...flight, end: flight.end ?? Infinity, row: null };
    timeline.flights.push(known);
    const source = sources.get(id);
    if (source !== undefined) timeline.sourceIds.set(source, known);
  }
  const last = await findLast(db, of);
  if (last) timeline.flights.push(...savedReadings(last));
  timeline.changes.push(...(await findMeterChanges(db, of)));
  return timeline;
}

/** As numbers, which take less time and memory than dates and texts. */
async function findFlights(db: Db | Trx, { schoolId, aircraftId, exceptChange = '-1' }: Of) {
  const { rows } = await sql<Omit<TimedReadings, 'end'> & { id: number; end: number | null }>`
    select id, ${milliseconds('created_at')} as start, ${milliseconds('completed_at')} as end,
      ${hundredths('start_hobbs')} as "startHobbs", ${hundredths('end_hobbs')} as "endHobbs",
      ${hundredths('start_tach')} as "startTach", ${hundredths('end_tach')} as "endTach"
    from flight_logs
    where school_id = ${schoolId} and aircraft_id = ${aircraftId} and voided_at is null
      and change_id <> ${exceptChange}::bigint`.execute(db);
  return rows;
}

/** By a list rather than a join, which scans all rows for each flight until Postgres has counted them. */
async function findSources(db: Db | Trx, { schoolId }: Of, flights: { id: number }[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; source: string }>`
    select flight_log_id as id, source_id as source from import_rows
    where school_id = ${schoolId} and source_id is not null
      and flight_log_id = any(${flights.map(({ id }) => id)}::integer[])`.execute(db);
  return new Map(rows.map(({ id, source }) => [id, source]));
}

const milliseconds = (column: string) => sql`floor(extract(epoch from ${sql.ref(column)}) * 1000)::float8`;
const hundredths = (column: string) => sql`(${sql.ref(column)} * 100)::integer`;

async function findLast(db: Db | Trx, { schoolId, aircraftId }: Of) {
  const { rows } = await sql<Record<'hobbs' | 'hobbsAt' | 'tach' | 'tachAt', number | null>>`
    select ${hundredths('last_hobbs')} as hobbs, ${milliseconds('last_hobbs_at')} as "hobbsAt",
      ${hundredths('last_tach')} as tach, ${milliseconds('last_tach_at')} as "tachAt"
    from aircraft where school_id = ${schoolId} and id = ${aircraftId}`.execute(db);
  return rows[0];
}

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

function savedReadings({ hobbs, hobbsAt, tach, tachAt }: NonNullable<Awaited<ReturnType<typeof findLast>>>) {
  const saved: TimedReadings[] = [];
  const none = { startHobbs: null, endHobbs: null, startTach: null, endTach: null, row: null };
  if (hobbs !== null && hobbsAt !== null)
    saved.push({ ...none, start: hobbsAt, end: hobbsAt, startHobbs: hobbs, endHobbs: hobbs });
  if (tach !== null && tachAt !== null)
    saved.push({ ...none, start: tachAt, end: tachAt, startTach: tach, endTach: tach });
  return saved;
}
