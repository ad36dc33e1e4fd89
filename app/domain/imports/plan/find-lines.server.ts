import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { toHundredths } from '../../reading.ts';
import type { AircraftLine, LineFlight } from './line.ts';

/** The flights of these aircraft, and the readings that were saved between them. */
export async function findLines(
  db: Db | Trx,
  schoolId: number,
  aircraftIds: number[],
): Promise<Map<number, AircraftLine>> {
  const lines = new Map(
    aircraftIds.map((id): [number, AircraftLine] => [id, { flights: [], changes: [], sourceIds: new Map() }]),
  );
  for (const { aircraft_id, source_id, ...row } of await findFlights(db, schoolId, aircraftIds)) {
    const line = lines.get(aircraft_id);
    const flight = toLineFlight(row);
    line?.flights.push(flight);
    if (source_id !== null) line?.sourceIds.set(source_id, flight);
  }
  for (const { id, last_hobbs, last_hobbs_at, last_tach, last_tach_at } of await findLast(db, schoolId, aircraftIds)) {
    const line = lines.get(id);
    const [hobbs, tach] = [hundredths(last_hobbs), hundredths(last_tach)];
    if (hobbs !== null && last_hobbs_at) line?.flights.push(savedReading(last_hobbs_at, { hobbs, tach: null }));
    if (tach !== null && last_tach_at) line?.flights.push(savedReading(last_tach_at, { hobbs: null, tach }));
  }
  for (const { aircraft_id, started_at } of await findMeterChanges(db, schoolId, aircraftIds))
    lines.get(aircraft_id)?.changes.push(started_at.getTime());
  return lines;
}

function findFlights(db: Db | Trx, schoolId: number, aircraftIds: number[]) {
  return db
    .selectFrom('flight_logs')
    .leftJoin('import_rows', (join) =>
      join
        .onRef('import_rows.school_id', '=', 'flight_logs.school_id')
        .onRef('import_rows.flight_log_id', '=', 'flight_logs.id'),
    )
    .select(['flight_logs.aircraft_id', 'created_at', 'completed_at', 'source_id'])
    .select(['start_hobbs', 'end_hobbs', 'start_tach', 'end_tach'])
    .where('flight_logs.school_id', '=', schoolId)
    .where('flight_logs.aircraft_id', '=', sql<number>`any(${aircraftIds}::integer[])`)
    .where('voided_at', 'is', null)
    .execute();
}

function findLast(db: Db | Trx, schoolId: number, aircraftIds: number[]) {
  return db
    .selectFrom('aircraft')
    .select(['id', 'last_hobbs', 'last_hobbs_at', 'last_tach', 'last_tach_at'])
    .where('school_id', '=', schoolId)
    .where('id', '=', sql<number>`any(${aircraftIds}::integer[])`)
    .execute();
}

function findMeterChanges(db: Db | Trx, schoolId: number, aircraftIds: number[]) {
  return db
    .selectFrom('meter_segments')
    .select(['aircraft_id', 'started_at'])
    .where('school_id', '=', schoolId)
    .where('aircraft_id', '=', sql<number>`any(${aircraftIds}::integer[])`)
    .where('reason', '<>', 'new aircraft')
    .execute();
}

type FlightRow = Omit<Awaited<ReturnType<typeof findFlights>>[number], 'aircraft_id' | 'source_id'>;

/** An open flight lasts. */
function toLineFlight(row: FlightRow): LineFlight {
  return {
    start: row.created_at.getTime(),
    end: row.completed_at?.getTime() ?? Infinity,
    startHobbs: toHundredths(row.start_hobbs),
    endHobbs: hundredths(row.end_hobbs),
    startTach: toHundredths(row.start_tach),
    endTach: hundredths(row.end_tach),
    row: null,
  };
}

function savedReading(at: Date, { hobbs, tach }: { hobbs: number | null; tach: number | null }): LineFlight {
  const time = at.getTime();
  return { start: time, end: time, startHobbs: hobbs, endHobbs: hobbs, startTach: tach, endTach: tach, row: null };
}

function hundredths(reading: string | null): number | null {
  return reading === null ? null : toHundredths(reading);
}
