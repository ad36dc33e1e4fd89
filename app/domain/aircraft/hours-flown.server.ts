import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { SUM_MONTHS, SUM_WEEKS } from '#app/limits.ts';
import { now } from '../database-clock.server.ts';

export interface HoursFlown {
  /** First day, as '2026-11-16'. */
  start: string;
  flights: number;
  hobbs: string;
  tach: string;
}

const PERIODS = { week: SUM_WEEKS - 1, month: SUM_MONTHS - 1 };

/** Sums the aircraft's completed hours by the week or month of their start; the last ones only, newest first. */
export function findHoursFlown(
  db: Db,
  { schoolId, timeZone }: { schoolId: number | null; timeZone: string },
  aircraftId: number,
  period: keyof typeof PERIODS,
): Promise<HoursFlown[]> {
  const local = (instant: RawBuilder<Date>) => sql`date_trunc(${period}, ${instant} at time zone ${timeZone})`;
  const first = sql<Date>`(${local(now)} - ${`${PERIODS[period]} ${period}`}::interval) at time zone ${timeZone}`;
  const start = sql<string>`to_char(${local(sql<Date>`created_at`)}, 'YYYY-MM-DD')`;
  return db
    .selectFrom('flight_logs')
    .select([start.as('start'), sql<number>`count(*)::integer`.as('flights')])
    .select([HOURS.hobbs.as('hobbs'), HOURS.tach.as('tach')])
    .where('school_id', '=', schoolId)
    .where('aircraft_id', '=', aircraftId)
    .where('completed_at', 'is not', null)
    .where('created_at', '>=', first)
    .groupBy(sql`1`)
    .orderBy(sql`1`, 'desc')
    .execute();
}

const HOURS = {
  hobbs: sql<string>`sum(hobbs_hours)::numeric(12, 2)::text`,
  tach: sql<string>`sum(tach_hours)::numeric(12, 2)::text`,
};
