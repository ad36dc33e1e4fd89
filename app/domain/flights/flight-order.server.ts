import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { MAX_ID } from '#app/limits.ts';

type Flight = 'flight_logs' | 'flight' | 'one';

/** Where a flight stands, or would stand, among those of its aircraft or its pilot. */
export interface FlightPlace {
  schoolId: RawBuilder<unknown>;
  column: 'aircraft_id' | 'user_id';
  whose: RawBuilder<unknown>;
  id: RawBuilder<unknown>;
  createdAt: RawBuilder<unknown>;
  isCheckOut: RawBuilder<boolean>;
}

/**
 * The id of the flight right before ('<') or after ('>') a place; null where there is none. Check-outs are in the order
 * of their ids, which no clock sets back; a flight that was entered or imported later stands among them by its time.
 * `where` is of a row `one`.
 */
export function adjacentFlightId(
  { schoolId, column, whose, id, createdAt, isCheckOut }: FlightPlace,
  side: '<' | '>',
  where = sql<SqlBool>`true`,
): RawBuilder<number | null> {
  const { is, order, isWithin, farthest } = SIDES[side];
  const flights = sql`select one.id, one.created_at from flight_logs as one
    where one.school_id = ${schoolId} and ${sql.ref(`one.${column}`)} = ${whose} and one.voided_at is null and ${where}`;
  return sql<number | null>`(
    with by_id as materialized (
      ${flights} and ${isCheckOut} and ${wasCheckedOut('one')} and one.id ${is} ${id}
      order by one.id ${order} limit 1
    ), by_time as materialized (
      ${flights} and not (${isCheckOut} and ${wasCheckedOut('one')})
        and (one.created_at, one.id) ${is} (${createdAt}, ${id})
        and one.created_at ${isWithin} coalesce((select created_at from by_id), ${farthest})
      order by one.created_at ${order}, one.id ${order} limit 1
    )
    select beside.id from (table by_id union all table by_time) as beside
    order by beside.created_at ${order}, beside.id ${order} limit 1
  )`;
}

const SIDES = {
  '<': { is: sql`<`, order: sql`desc`, isWithin: sql`>=`, farthest: sql`'-infinity'` },
  '>': { is: sql`>`, order: sql`asc`, isWithin: sql`<=`, farthest: sql`'infinity'` },
};

/** The place of a row of `flight_logs`. */
export function placeOfRow(column: FlightPlace['column']): FlightPlace {
  return {
    schoolId: sql.ref('flight_logs.school_id'),
    column,
    whose: sql.ref(`flight_logs.${column}`),
    id: sql.ref('flight_logs.id'),
    createdAt: sql.ref('flight_logs.created_at'),
    isCheckOut: wasCheckedOut('flight_logs'),
  };
}

export interface FlightOrderColumns {
  id: number;
  school_id: number;
  aircraft_id: number;
  created_at: Date;
}

/** The place of a flight among those of its aircraft; by its time where it is not stored. */
export function placeOfFlight({ id, school_id, aircraft_id, created_at }: FlightOrderColumns): FlightPlace {
  return {
    schoolId: sql`${school_id}::integer`,
    column: 'aircraft_id',
    whose: sql`${aircraft_id}::integer`,
    id: sql`${id}::integer`,
    createdAt: sql`${created_at.toISOString()}::timestamptz`,
    isCheckOut: sql<boolean>`coalesce((select ${wasCheckedOut('flight')} from flight_logs as flight
      where flight.school_id = ${school_id} and flight.id = ${id}), false)`,
  };
}

/** The id of the aircraft's newest completed flight. */
export function newestCompletedFlightId(schoolId: number, aircraftId: number): RawBuilder<number | null> {
  const place = placeOfFlight({ id: MAX_ID, school_id: schoolId, aircraft_id: aircraftId, created_at: new Date(0) });
  const afterAll = { ...place, createdAt: sql`'infinity'::timestamptz`, isCheckOut: sql<boolean>`true` };
  return adjacentFlightId(afterAll, '<', sql<SqlBool>`one.completed_at is not null`);
}

/** Looks at the index for each flight: Postgres would read all import rows for `not exists`. */
function wasCheckedOut(flight: Flight): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${flight}.entered_at`)} is null and (select import_rows.id from import_rows
    where import_rows.school_id = ${sql.ref(`${flight}.school_id`)}
      and import_rows.flight_log_id = ${sql.ref(`${flight}.id`)} limit 1) is null)`;
}

interface Whose {
  schoolId: RawBuilder<unknown>;
  column: 'aircraft_id' | 'user_id' | 'instructor_id';
  id: RawBuilder<unknown>;
  where?: RawBuilder<boolean>;
}

/** Looks for a flight by the newest first: for `exists` under `or`, Postgres would read the whole table. */
export function hasFlight({ schoolId, column, id, where = sql<boolean>`true` }: Whose): RawBuilder<boolean> {
  return sql<boolean>`((
    select true from flight_logs as flight
    where flight.school_id = ${schoolId} and ${sql.ref(`flight.${column}`)} = ${id} and ${where}
    order by flight.created_at desc, flight.id desc limit 1
  ) is not null)`;
}

export const isNotCancelled = sql<boolean>`flight.voided_at is null`;
