import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import type { Actor } from '../../actor.ts';
import { can } from '../../permissions.ts';
import { findOpenFlights } from '../queries.server.ts';
import type { OpenFlight } from '../schema.server.ts';
import { OVERDUE_FLIGHT_HOURS } from '#app/limits.ts';
import { now } from '../../database-clock.server.ts';

/** Finds flights long out or past midnight, the longest first; a user who may not see all gets their own. */
export async function findStuckFlights(db: Db, reader: Actor, now: Date): Promise<OpenFlight[]> {
  const { schoolId, role, id, timeZone } = reader;
  const userId = can(role, 'see all open flights') ? undefined : id;
  const only = isOverdue(sql`flight_logs.created_at`, timeZone, sql<Date>`${now}::timestamptz`);
  const open = await findOpenFlights(db, schoolId, { userId, only });
  return open.toReversed();
}

/** Tells an open flight that is out for hours, or since before the school's midnight. */
export function isOverdue(createdAt: RawBuilder<Date>, timeZone: string, at = now) {
  const longest = sql`${OVERDUE_FLIGHT_HOURS}::integer * interval '1 hour'`;
  return sql<boolean>`(${createdAt} < ${at} - ${longest} or ${createdAt} < ${instantAtHour(timeZone, 0, at)})`;
}

/** Selects an hour of the day at the school. */
export function instantAtHour(timeZone: string, hour: number, at = now) {
  return sql`(date_trunc('day', ${at} at time zone ${timeZone}) + ${hour}::integer * interval '1 hour') at time zone ${timeZone}`;
}
