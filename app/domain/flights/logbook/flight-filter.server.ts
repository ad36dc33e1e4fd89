import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { FlightFilterQuery } from '#app/paths.ts';
import { instantOf } from '../../changes.server.ts';
import { startOfDay } from '../../database-clock.server.ts';

export interface FlightFilter extends FlightFilterQuery {
  /** Of the days; UTC where it is absent. */
  timeZone?: string | undefined;
}

/** What the filter asks of a row of `flight_logs`, whatever is joined to it. */
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
    since !== undefined && changedSince(instantOf(since, timeZone), schoolId),
  ];
  return sql<SqlBool>`${sql.join(
    conditions.filter((condition) => condition !== false),
    sql` and `,
  )}`;
}

/** Each arm has an index; a row without a change was not written since changes are noted. */
function changedSince(since: RawBuilder<Date>, schoolId: number | null): RawBuilder<unknown> {
  return sql`flight_logs.id in (
    select changed.id from changes
      join flight_logs as changed on changed.school_id = changes.school_id and changed.change_id = changes.id
      where changes.school_id = ${schoolId} and changes.ended_at >= ${since}
    union all select former.id from flight_logs as former
      where former.school_id = ${schoolId} and former.change_id is null
        and greatest(former.created_at, former.completed_at, former.voided_at) >= ${since}
    union all select revision.flight_log_id from flight_log_revisions as revision
      where revision.school_id = ${schoolId} and revision.created_at >= ${since})`;
}

/** Names the index of flights with squawks, so that only those are read. */
function containsWords(q: string): RawBuilder<unknown>[] {
  const words = q.split(/\s+/).filter((word) => word !== '');
  return [
    sql`flight_logs.notes <> ''`,
    ...words.map((word) => sql`flight_logs.notes ilike ${`%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`),
  ];
}
