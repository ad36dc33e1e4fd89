import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { copyOut } from '#db/copy-out.ts';
import type { Actor } from '../../actor.ts';
import { findTailNumbersWithYears } from '../../aircraft/namesakes.server.ts';
import { CLOCKED_TIMES, exportColumns } from './export-columns.server.ts';
import { type FlightFilter, matchesFilter } from '../logbook/flight-filter.server.ts';

/** Streams the export's lines as Postgres writes them, newest first, after the header; uses one connection of `db`. */
export async function* exportFlightLogs(db: Db, actor: Actor, filter: FlightFilter): AsyncGenerator<Uint8Array, void> {
  const years = await findTailNumbersWithYears(db, actor);
  yield* copyOut(db, exportQuery(actor.schoolId, filter, years), actor.timeZone);
}

function exportQuery(schoolId: number | null, filter: FlightFilter, years: ReadonlyMap<number, string>) {
  return sql`
    select ${sql.join(exportColumns(years).map(([name, { csv }]) => sql`${csv} as ${sql.id(name)}`))}
    from ${exportedFlights(schoolId, filter)}
    order by flight_logs.created_at desc, flight_logs.id desc`;
}

/** Selects the flights of the filter, with what their columns are made of. */
export function exportedFlights(schoolId: number | null, filter: FlightFilter) {
  return sql`
    flight_logs
    join aircraft on aircraft.id = flight_logs.aircraft_id
    join users as pilot on pilot.id = flight_logs.user_id
    left join users as instructor on instructor.id = flight_logs.instructor_id
    cross join ${CLOCKED_TIMES}
    left join lateral (
      select bool_or(refueled) as refueled, bool_or(oil_added) as oil_added, sum(oil_quantity) as quarts
      from fuel_records
      where fuel_records.school_id = flight_logs.school_id and fuel_records.flight_log_id = flight_logs.id
    ) as fuel on true
    where flight_logs.school_id = ${schoolId} and voided_at is null and ${matchesFilter(filter, schoolId)}`;
}
