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

/** Numeric in the database: a sum is exact to the hundredth. */
export const SUM_COLUMNS = sql<FlightSums>`
  count(*)::integer as flights,
  (count(*) filter (where completed_at is null))::integer as "inProgress",
  coalesce(sum(hobbs_hours), 0)::numeric(12, 2)::text as hobbs,
  coalesce(sum(tach_hours), 0)::numeric(12, 2)::text as tach,
  coalesce(sum(instructor_hours), 0)::numeric(12, 2)::text as instructor,
  coalesce(sum(ground_school_time::numeric), 0)::numeric(12, 2)::text as ground`;

/** Of all flights that match, on whatever page they stand. */
export async function findFlightSums(db: Db, schoolId: number | null, filter: FlightFilter): Promise<FlightSums> {
  const { rows } = await sql<FlightSums>`
    select ${SUM_COLUMNS} from flight_logs where ${matchingFlights(schoolId, filter)}`.execute(db);
  return rows[0] ?? NO_FLIGHTS;
}

export interface DaySums {
  day: string;
  flights: number;
  hobbs: string;
}

/** Of each day with flights that match, the newest first; whole days, from the first to the last. */
export async function findDaySums(
  db: Db,
  schoolId: number | null,
  filter: FlightFilter,
  { first, last }: { first: string; last: string },
): Promise<DaySums[]> {
  const { timeZone = 'UTC' } = filter;
  const inDays = matchesFilter({ from: first, to: last, timeZone }, schoolId);
  const { rows } = await sql<DaySums>`
    select to_char(created_at at time zone ${timeZone}, 'YYYY-MM-DD') as day, ${SUM_COLUMNS}
    from flight_logs where ${matchingFlights(schoolId, filter)} and ${inDays} group by 1 order by 1 desc`.execute(db);
  return rows.map(({ day, flights, hobbs }) => ({ day, flights, hobbs }));
}

/** Without cancelled check-outs. */
export function matchingFlights(schoolId: number | null, filter: FlightFilter) {
  return sql`flight_logs.school_id = ${schoolId} and flight_logs.voided_at is null and ${matchesFilter(filter, schoolId)}`;
}

const NO_FLIGHTS = { flights: 0, inProgress: 0, hobbs: '0.00', tach: '0.00', instructor: '0.00', ground: '0.00' };
