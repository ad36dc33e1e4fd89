import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { PAGE_ROWS } from '#app/limits.ts';
import type { FlightFilterQuery } from '#app/paths.ts';
import { instantOf, isChangedSince } from '../../changes.server.ts';
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
    since !== undefined && isChangedSince('flight_logs', schoolId, instantOf(since, timeZone)),
  ];
  return sql<SqlBool>`${sql.join(
    conditions.filter((condition) => condition !== false),
    sql` and `,
  )}`;
}

/** Tells a row of `flight_logs` that the filter asks for in the school, without cancelled check-outs. */
export function matchingFlights(schoolId: number | null, filter: FlightFilter) {
  return sql<SqlBool>`flight_logs.school_id = ${schoolId} and flight_logs.voided_at is null and ${matchesFilter(filter, schoolId)}`;
}

/** Tells squawks with these words, and names their index, so that only those are read. */
function containsWords(q: string): RawBuilder<unknown>[] {
  const words = q.split(/\s+/).filter((word) => word !== '');
  return [sql`flight_logs.notes <> ''`, ...words.map((word) => sql`flight_logs.notes ilike ${containing(word)}`)];
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

export interface PageCursors {
  after?: Cursor | undefined;
  before?: Cursor | undefined;
}

/** Tells a row of the table that is older than `after` and newer than `before`. */
export function isOnPage(table: 'flight_logs' | 'removed_flights' | 'audit_entries', { after, before }: PageCursors) {
  const position = sql`(${sql.ref(`${table}.created_at`)}, ${sql.ref(`${table}.id`)})`;
  const keyOf = ({ createdAt, id }: Cursor) => sql`(${createdAt}::timestamptz, ${id}::integer)`;
  const [isOlder, isNewer] = [
    after && sql`${position} < ${keyOf(after)}`,
    before && sql`${position} > ${keyOf(before)}`,
  ];
  return sql<SqlBool>`${isOlder ?? sql`true`} and ${isNewer ?? sql`true`}`;
}

/** A page and one row more, which tells whether there is another. */
export const PAGE_LIMIT = sql.lit(PAGE_ROWS + 1);

/** Finds the newest page, or the one older than `after` or newer than `before`; `find` returns rows up to `PAGE_LIMIT`, newest first. */
export async function findPage<Row extends Cursor>(
  at: PageCursors,
  find: (at: PageCursors) => Promise<Row[]>,
): Promise<{ rows: Row[]; older: Cursor | null; newer: Cursor | null }> {
  const { after, before } = at;
  const found = await find(at);
  const more = found.length > PAGE_ROWS;
  // The newest page is found past either end, and if a newer page would be short.
  if (before ? !more : after && found.length === 0) return findPage({}, find);
  const rows = before ? found.slice(-PAGE_ROWS) : found.slice(0, PAGE_ROWS);
  return {
    rows,
    older: more ? cursorOf(rows.at(-1)) : null,
    newer: before || after ? cursorOf(rows.at(0)) : null,
  };
}

function cursorOf(row: Cursor | undefined): Cursor | null {
  return row ? { createdAt: row.createdAt, id: row.id } : null;
}
