import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';

/** Returns a text for each aircraft that is not deleted; it changes with their flights, readings and meters. */
export async function findAircraftStamps(
  db: Db | Trx,
  schoolId: number,
  aircraftIds: number[],
  exceptChange = '-1',
): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; stamp: string }>`
    select aircraft.id, concat_ws(' ', change_id, flights.stamp, meters.stamp) as stamp
    from aircraft
      cross join lateral (
        select concat_ws(' ', count(*), sum(change_id * flight_logs.id::numeric)) as stamp from flight_logs
        where flight_logs.school_id = aircraft.school_id and aircraft_id = aircraft.id
          and flight_logs.change_id <> ${exceptChange}::bigint
      ) as flights
      cross join lateral (
        select concat_ws(' ', count(*), max(id)) as stamp from meter_segments
        where meter_segments.school_id = aircraft.school_id and aircraft_id = aircraft.id
      ) as meters
    where aircraft.school_id = ${schoolId} and aircraft.id = any(${aircraftIds}::integer[]) and deleted_at is null`.execute(
    db,
  );
  return new Map(rows.map(({ id, stamp }) => [id, stamp]));
}

/** The number under which this transaction's writes to a school are listed as changed. */
export async function findOwnChange(trx: Trx, schoolId: number): Promise<string> {
  const { rows } = await sql<{ id: string }>`select current_change(${schoolId}) as id`.execute(trx);
  return rows[0]?.id ?? '-1';
}
