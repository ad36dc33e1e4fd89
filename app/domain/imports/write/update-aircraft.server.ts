import { sql } from 'kysely';
import type { Trx } from '#db/connect.server.ts';
import { toHundredths } from '../../reading.ts';
import { groupBy } from '../group-by.ts';
import type { PlannedFlight } from '../plan/plan.ts';
import { writeImportRows } from './import-rows.server.ts';
import type { WriteContext } from './write-context.ts';

/** What imported flights change about their aircraft, to be put back when the import is undone; times as text, to the microsecond. */
export interface AircraftMeters {
  last_hobbs: string | null;
  last_hobbs_at: string | null;
  last_hobbs_by: number | null;
  last_tach: string | null;
  last_tach_at: string | null;
  last_tach_by: number | null;
  first_hobbs: string | null;
  first_hobbs_at: string;
  first_tach: string | null;
  first_tach_at: string;
}

/** Gives the aircraft of imported flights their last readings, and their meters the first ones. */
export async function updateAircraft(context: WriteContext, flights: PlannedFlight[]): Promise<void> {
  const { trx, schoolId } = context;
  const rows = [];
  for (const [id, ofAircraft] of groupBy(flights, ({ aircraftId }) => aircraftId)) {
    const before = await findMeters(trx, schoolId, id);
    const hasOlder = await hasOlderFlight(trx, schoolId, id, ofAircraft);
    const after = {
      ...before,
      ...lastReadings(before, ofAircraft),
      ...(hasOlder ? {} : firstReadings(before, ofAircraft)),
    };
    await writeMeters(trx, schoolId, id, after);
    rows.push({ row: null, id, before, after });
  }
  await writeImportRows(context, 'aircraft_id', rows);
}

export async function findMeters(trx: Trx, schoolId: number, id: number): Promise<AircraftMeters> {
  const { rows } = await sql<AircraftMeters>`
    select last_hobbs, ${isoOf('last_hobbs_at')} as last_hobbs_at, last_hobbs_by,
      last_tach, ${isoOf('last_tach_at')} as last_tach_at, last_tach_by,
      hobbs.first_reading as first_hobbs, ${isoOf('hobbs.started_at')} as first_hobbs_at,
      tach.first_reading as first_tach, ${isoOf('tach.started_at')} as first_tach_at
    from aircraft
      join meter_segments as hobbs on hobbs.school_id = aircraft.school_id and hobbs.aircraft_id = aircraft.id
        and hobbs.meter_type = 'hobbs' and hobbs.reason = 'new aircraft'
      join meter_segments as tach on tach.school_id = aircraft.school_id and tach.aircraft_id = aircraft.id
        and tach.meter_type = 'tachometer' and tach.reason = 'new aircraft'
    where aircraft.school_id = ${schoolId} and aircraft.id = ${id}`.execute(trx);
  const [meters] = rows;
  if (!meters) throw new Error(`aircraft ${id} has no first meters`);
  return meters;
}

export async function writeMeters(trx: Trx, schoolId: number, id: number, meters: AircraftMeters): Promise<void> {
  const { first_hobbs, first_hobbs_at, first_tach, first_tach_at, ...last } = meters;
  const times = { last_hobbs_at: toTime(last.last_hobbs_at), last_tach_at: toTime(last.last_tach_at) };
  await trx
    .updateTable('aircraft')
    .set({ ...last, ...times })
    .where('school_id', '=', schoolId)
    .where('id', '=', id)
    .execute();
  await sql`update meter_segments set
      first_reading = case meter_type when 'hobbs' then ${first_hobbs}::numeric else ${first_tach}::numeric end,
      started_at = case meter_type when 'hobbs' then ${first_hobbs_at}::timestamptz else ${first_tach_at}::timestamptz end
    where school_id = ${schoolId} and aircraft_id = ${id} and reason = 'new aircraft'`.execute(trx);
}

/** To the microsecond, which a Date does not have. */
const isoOf = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const toTime = (text: string | null) => sql<Date | null>`${text}::timestamptz`;

async function hasOlderFlight(trx: Trx, schoolId: number, id: number, flights: PlannedFlight[]): Promise<boolean> {
  const older = await trx
    .selectFrom('flight_logs')
    .select('id')
    .where('school_id', '=', schoolId)
    .where('aircraft_id', '=', id)
    .where('voided_at', 'is', null)
    .where('created_at', '<', earliest(flights).startedAt)
    .limit(1)
    .executeTakeFirst();
  return older !== undefined;
}

/** A reading that was taken after the last flight stays; so does one of unknown time that is higher. */
function lastReadings(before: AircraftMeters, flights: PlannedFlight[]) {
  const { completedAt, endHobbs, endTach, pilotId } = flights.reduce((a, b) => (b.completedAt > a.completedAt ? b : a));
  const isNewer = (last: string | null, at: string | null, end: string) =>
    last === null || (at === null ? toHundredths(end) >= toHundredths(last) : completedAt > new Date(at));
  return {
    ...(isNewer(before.last_hobbs, before.last_hobbs_at, endHobbs) && {
      last_hobbs: endHobbs,
      last_hobbs_at: completedAt.toISOString(),
      last_hobbs_by: pilotId,
    }),
    ...(isNewer(before.last_tach, before.last_tach_at, endTach) && {
      last_tach: endTach,
      last_tach_at: completedAt.toISOString(),
      last_tach_by: pilotId,
    }),
  };
}

function firstReadings(before: AircraftMeters, flights: PlannedFlight[]) {
  const { startedAt, startHobbs, startTach } = earliest(flights);
  const notAfter = (at: string) => (new Date(at) < startedAt ? at : startedAt.toISOString());
  return {
    first_hobbs: startHobbs,
    first_hobbs_at: notAfter(before.first_hobbs_at),
    first_tach: startTach,
    first_tach_at: notAfter(before.first_tach_at),
  };
}

function earliest(flights: PlannedFlight[]): PlannedFlight {
  return flights.reduce((a, b) => (b.startedAt < a.startedAt ? b : a));
}
