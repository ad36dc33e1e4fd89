import { type SqlBool, sql } from 'kysely';

/** Position in a list: the keys of a row. */
export interface Cursor {
  createdAt: string;
  id: number;
}

export interface FlightKey {
  schoolId: number | null;
  id: number;
}

const OPERATORS = { '<': sql`<`, '>': sql`>` };

/** Tells a row of `flight_logs` that was started before ('<') or after the flight. */
export function isBeforeOrAfter({ schoolId, id }: FlightKey, side: keyof typeof OPERATORS) {
  return sql<SqlBool>`(flight_logs.created_at, flight_logs.id) ${OPERATORS[side]} (
    select flight.created_at, flight.id from flight_logs as flight where flight.school_id = ${schoolId} and flight.id = ${id})`;
}

/** Makes the row of start and id that a flight's own is compared with. */
export function keysetRow(cursor: Cursor | undefined) {
  return sql<string>`(${cursor?.createdAt}::timestamptz, ${cursor?.id}::integer)`;
}
