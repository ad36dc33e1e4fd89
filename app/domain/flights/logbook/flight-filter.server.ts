import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { FlightFilterQuery } from '#app/paths.ts';
import { instantOf, isChangedSince } from '../../changes.server.ts';
import { startOfDay } from '../../database-clock.server.ts';

export interface FlightFilter extends FlightFilterQuery {
  /** Time zone of the days; left out, it is UTC. */
  timeZone?: string | undefined;
}

/** Tells a row of `flight_logs` that the filter asks for, whatever is joined to it. */
export function matchesFilter(filter: FlightFilter, schoolId: number | null): RawBuilder<SqlBool> {
  const { aircraftId, pilotId, instructorId, from, to, status, q, since, timeZone = 'UTC' } = filter;
  const conditions = [
    sql`true`,
    aircraftId !== undefined && sql`flight_logs.aircraft_id = ${aircraftId}`,
    pilotId !== undefined && sql`flight_logs.user_id = ${pilotId}`,
    instructorId !== undefined && sql`flight_logs.instructor_id = ${instructorId}`,
    from !== undefined && sql`flight_logs.created_at >= ${startOfDay(from, timeZone)}`,
    to !== undefined && sql`flight_logs.created_at < ${startOfDay(to, timeZone, 1)}`,
    status === 'in_progress' && sql`flight_logs.completed_at is null`,
    status === 'completed' && sql`flight_logs.completed_at is not null`,
    ...(q === undefined ? [] : containsWords(q)),
    since !== undefined && isChangedSince('flight_logs', schoolId, instantOf(since, timeZone)),
  ];
  return sql<SqlBool>`${sql.join(
    conditions.filter((condition) => condition !== false),
    sql` and `,
  )}`;
}

/** Tells squawks with these words, and names their index, so that only those are read. */
function containsWords(q: string): RawBuilder<unknown>[] {
  const words = q.split(/\s+/).filter((word) => word !== '');
  return [
    sql`flight_logs.notes <> ''`,
    ...words.map((word) => sql`flight_logs.notes ilike ${`%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`),
  ];
}

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
