import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { copyOut } from '#db/copy-out.ts';
import type { Actor } from '../actor.ts';
import { EXPORT_COLUMNS } from './export-columns.server.ts';

/** The export's lines as Postgres writes them, newest first, after the header; uses one connection of `db` until done. */
export function exportFlightLogs(
  db: Db,
  { schoolId, timeZone }: Actor,
  aircraftId: number | undefined,
): AsyncGenerator<Uint8Array, void> {
  return copyOut(db, exportQuery(schoolId, aircraftId), timeZone);
}

/** COPY takes no parameters: the values are numbers, written out. */
function exportQuery(schoolId: number | null, aircraftId: number | undefined) {
  const ofAircraft = aircraftId === undefined ? sql`` : sql`and flight_logs.aircraft_id = ${sql.lit(aircraftId)}`;
  return sql`
    select ${sql.join(EXPORT_COLUMNS.map(([name, cell]) => sql`${cell} as ${sql.id(name)}`))}
    from flight_logs
    join aircraft on aircraft.id = flight_logs.aircraft_id
    join users as pilot on pilot.id = flight_logs.user_id
    left join users as instructor on instructor.id = flight_logs.instructor_id
    left join lateral (
      select bool_or(refueled) as refueled, bool_or(oil_added) as oil_added, sum(oil_quantity) as quarts
      from fuel_records
      where fuel_records.school_id = flight_logs.school_id and fuel_records.flight_log_id = flight_logs.id
    ) as fuel on true
    where flight_logs.school_id = ${sql.lit(schoolId)} and voided_at is null ${ofAircraft}
    order by flight_logs.created_at desc, flight_logs.id desc`;
}
