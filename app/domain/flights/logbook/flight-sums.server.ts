import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { type FlightFilter, matchesFilter } from './flight-filter.server.ts';

/** Hours with two decimals; those of flights in progress are yet to come. */
export interface FlightSums {
  flights: number;
  inProgress: number;
  hobbs: string;
  tach: string;
  instructor: string;
  ground: string;
}

/** Sums are numeric in the database, exact to the hundredth. */
export const SUM_COLUMNS = sql<FlightSums>`
  count(*)::integer as flights,
  (count(*) filter (where completed_at is null))::integer as "inProgress",
  coalesce(sum(hobbs_hours), 0)::numeric(12, 2)::text as hobbs,
  coalesce(sum(tach_hours), 0)::numeric(12, 2)::text as tach,
  coalesce(sum(instructor_hours), 0)::numeric(12, 2)::text as instructor,
  coalesce(sum(ground_school_time::numeric), 0)::numeric(12, 2)::text as ground`;

export interface DaySums {
  day: string;
  flights: number;
  hobbs: string;
}

interface DaysOfList {
  filter: FlightFilter;
  /** First day; both days are whole. */
  first: string;
  last: string;
}

/** Sums all flights that match, on whatever page they stand, and each day with flights of a list, the newest first. */
export async function findFlightSums(
  db: Db,
  schoolId: number | null,
  filter: FlightFilter,
  days?: DaysOfList,
): Promise<{ sums: FlightSums; days: DaySums[] }> {
  const daySums = days ? daySumsOf(schoolId, days) : sql`select where false`;
  const { rows } = await sql<FlightSums & { days: DaySums[] }>`
    select ${SUM_COLUMNS}, (select coalesce(json_agg(day_sums), '[]') from (${daySums}) as day_sums) as days
    from flight_logs where ${matchingFlights(schoolId, filter)}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('sums without a row');
  const { days: found, ...sums } = row;
  return { sums, days: found.map(({ day, flights, hobbs }) => ({ day, flights, hobbs })) };
}

function daySumsOf(schoolId: number | null, { filter, first, last }: DaysOfList) {
  const { timeZone = 'UTC' } = filter;
  const inDays = matchesFilter({ from: first, to: last, timeZone }, schoolId);
  return sql`select to_char(created_at at time zone ${timeZone}, 'YYYY-MM-DD') as day, ${SUM_COLUMNS}
    from flight_logs where ${matchingFlights(schoolId, filter)} and ${inDays} group by 1 order by 1 desc`;
}

/** Selects the flights that match, without cancelled check-outs. */
export function matchingFlights(schoolId: number | null, filter: FlightFilter) {
  return sql`flight_logs.school_id = ${schoolId} and flight_logs.voided_at is null and ${matchesFilter(filter, schoolId)}`;
}
