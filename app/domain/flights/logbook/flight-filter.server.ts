import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { FlightFilterQuery } from '#app/paths.ts';
import { toSinceInstant, isChangedSince } from '../../changes.server.ts';
import { startOfDay } from '../../database-clock.server.ts';
import { containing } from '../../jump/find-jump-targets.server.ts';

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
    since !== undefined && isChangedSince('flight_logs', schoolId, toSinceInstant(since, timeZone)),
  ];
  return sql<SqlBool>`${sql.join(
    conditions.filter((condition) => condition !== false),
    sql` and `,
  )}`;
}

/** Tells a row of `flight_logs` that the filter asks for in the school, without cancelled check-outs. */
export function matchesSchoolAndFilter(schoolId: number | null, filter: FlightFilter) {
  return sql<SqlBool>`flight_logs.school_id = ${schoolId} and flight_logs.voided_at is null and ${matchesFilter(filter, schoolId)}`;
}

/** Tells squawks with these words, and names their index, so that only those are read. */
function containsWords(q: string): RawBuilder<unknown>[] {
  const words = q.split(/\s+/).filter((word) => word !== '');
  return [sql`flight_logs.notes <> ''`, ...words.map((word) => sql`flight_logs.notes ilike ${containing(word)}`)];
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
