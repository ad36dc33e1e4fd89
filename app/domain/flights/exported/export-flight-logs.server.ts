import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { copyOut } from '#db/copy-out.ts';
import type { Actor } from '../../actor.ts';
import { findTailNumbersWithYears } from '../../aircraft/namesakes.server.ts';
import { clockedTimesQuery, exportColumns } from './export-columns.server.ts';
import { type FlightFilter, matchesSchoolAndFilter } from '../logbook/flight-filter.server.ts';
import { MAX_SPREADSHEET_FLIGHTS } from '#app/limits.ts';
import { AppError } from '../../app-error.ts';
import { rowXmlExpression } from '../../sheets/row-xml.server.ts';
import type { SheetColumn } from '../../sheets/cell-kinds.ts';
import { sheetTooLongText } from '../../texts.ts';

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

function exportedFlights(schoolId: number | null, filter: FlightFilter) {
  return sql`
    flight_logs
    join aircraft on aircraft.id = flight_logs.aircraft_id
    join users as pilot on pilot.id = flight_logs.user_id
    left join users as instructor on instructor.id = flight_logs.instructor_id
    cross join ${clockedTimesQuery}
    left join lateral (
      select bool_or(refueled) as refueled, bool_or(oil_added) as oil_added, sum(oil_quantity) as quarts,
        string_agg(nullif(notes, ''), ', ' order by id) as fuel_notes
      from fuel_records
      where fuel_records.school_id = flight_logs.school_id and fuel_records.flight_log_id = flight_logs.id
    ) as fuel on true
    where ${matchesSchoolAndFilter(schoolId, filter)}`;
}

export function flightSheetColumns(): SheetColumn[] {
  return exportColumns(new Map()).map(([name, { kind }]) => ({ name, kind }));
}

/** Throws 'invalid' for more flights than a sheet takes. */
export async function assertFitsSheet(
  db: Db,
  { schoolId }: Actor,
  filter: FlightFilter,
  most = MAX_SPREADSHEET_FLIGHTS,
): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from flight_logs where ${matchesSchoolAndFilter(schoolId, filter)} limit ${most + 1}
    ) as matching`.execute(db);
  if ((rows[0]?.count ?? 0) > most) throw new AppError('invalid', sheetTooLongText);
}

/** Streams the sheet's rows as Postgres writes them, newest first, from row 2 on, on one connection of `db`. */
export async function* streamFlightSheetRows(
  db: Db,
  actor: Actor,
  filter: FlightFilter,
): AsyncGenerator<Uint8Array, void> {
  const columns = exportColumns(await findTailNumbersWithYears(db, actor)).map(([, column], index) => ({
    ...column,
    column: `c${index}`,
  }));
  const newestFirst = sql`flight_logs.created_at desc, flight_logs.id desc`;
  const query = sql`select ${rowXmlExpression(columns, sql`row_number`)} from (
    select ${sql.join(columns.map(({ value, column }) => sql`${value} as ${sql.id(column)}`))},
      row_number() over (order by ${newestFirst}) + 1 as row_number
    from ${exportedFlights(actor.schoolId, filter)}
    order by ${newestFirst} limit ${MAX_SPREADSHEET_FLIGHTS}
  ) as cells`;
  yield* copyOut(db, query, actor.timeZone, 'text');
}
