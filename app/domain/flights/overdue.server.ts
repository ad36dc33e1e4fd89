import { type RawBuilder, sql } from 'kysely';
import { OVERDUE_FLIGHT_HOURS } from '#app/limits.ts';
import { now } from '../database-clock.server.ts';

/** Tells an open flight that is out for hours, or since before the school's midnight. */
export function isOverdue(createdAt: RawBuilder<Date>, timeZone: string, at = now) {
  const longest = sql`${OVERDUE_FLIGHT_HOURS}::integer * interval '1 hour'`;
  return sql<boolean>`(${createdAt} < ${at} - ${longest} or ${createdAt} < ${hourOfDay(timeZone, 0, at)})`;
}

/** Selects an hour of the day at the school. */
export function hourOfDay(timeZone: string, hour: number, at = now) {
  return sql`(date_trunc('day', ${at} at time zone ${timeZone}) + ${hour}::integer * interval '1 hour') at time zone ${timeZone}`;
}
