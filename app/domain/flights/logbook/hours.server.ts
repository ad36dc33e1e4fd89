import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import type { Actor } from '../../actor.ts';
import { can } from '../../permissions.ts';
import { type FlightFilter, matchesFilter, matchesSchoolAndFilter } from './flight-filter.server.ts';

export const HOURS_BY = ['pilot', 'instructor', 'aircraft'] as const;

export type HoursBy = (typeof HOURS_BY)[number];

export interface HoursRow extends FlightSums {
  id: number | null;
  name: string | null;
  isRemoved: boolean;
}

export interface Hours {
  /** Rows by name; the one without an instructor is last. */
  rows: HoursRow[];
  sum: FlightSums;
}

/** Sums hours by pilot, instructor or aircraft, with the sum of all; a user who may not see all gets their own. */
export async function findHours(
  db: Db,
  reader: Actor,
  { by, filter, limit }: { by: HoursBy; filter: FlightFilter; limit?: number },
): Promise<Hours> {
  const { schoolId } = reader;
  const { rows } = await sql<HoursRow & { isSum: boolean }>`
    select sums.*, name, coalesce("isRemoved", false) as "isRemoved" from (
      select id, grouping(id) = 1 as "isSum", ${SUMS_OF_SUMS} from (
        select ${KEYS[by]} as id, ${SUM_COLUMNS} from flight_logs
        where ${matchesSchoolAndFilter(schoolId, filter)} and ${ownFlights(reader, by)} group by 1
      ) as sums_by_id group by grouping sets ((id), ())
    ) as sums left join (${namesOf(by, schoolId)}) as named on named.id = sums.id
    order by "isSum" desc, lower(name) nulls last, sums.id
    limit ${limit === undefined ? null : limit + 1}::bigint`.execute(db);
  const [sum, ...found] = rows.map(({ isSum: _isSum, ...row }) => row);
  if (!sum) throw new Error('sums without a row');
  return { rows: found, sum };
}

const KEYS = {
  pilot: sql.ref('flight_logs.user_id'),
  instructor: sql.ref('flight_logs.instructor_id'),
  aircraft: sql.ref('flight_logs.aircraft_id'),
};

/** Selects the flights that the user flew or, by instructor, taught; administrators see everybody's. */
function ownFlights({ id, role }: Actor, by: HoursBy) {
  if (can(role, 'see all hours')) return sql`true`;
  return sql`${by === 'instructor' ? KEYS.instructor : KEYS.pilot} = ${id}`;
}

function namesOf(by: HoursBy, schoolId: number | null) {
  const removed = sql`deleted_at is not null as "isRemoved"`;
  return by === 'aircraft'
    ? sql`select id, tail_number as name, ${removed} from aircraft where school_id = ${schoolId}`
    : sql`select id, username as name, ${removed} from users where school_id = ${schoolId}`;
}

/** Hours with two decimals; those of flights in progress are yet to come. */
export interface FlightSums {
  flights: number;
  inProgress: number;
  hobbs: string;
  tach: string;
  instructor: string;
  ground: string;
}

/** Sums are numeric in the database, exact to the hundredth. Casting every '0' of ground school would take a quarter of the time. */
const SUM_COLUMNS = sql<FlightSums>`
  count(*)::integer as flights,
  (count(*) filter (where completed_at is null))::integer as "inProgress",
  coalesce(sum(hobbs_hours), 0)::numeric(12, 2)::text as hobbs,
  coalesce(sum(tach_hours), 0)::numeric(12, 2)::text as tach,
  coalesce(sum(instructor_hours), 0)::numeric(12, 2)::text as instructor,
  coalesce(sum(ground_school_time::numeric) filter (where ground_school_time <> '0'), 0)::numeric(12, 2)::text as ground`;

/** Each flight is read and added once: the sum of all is taken from those by id. */
const SUMS_OF_SUMS = sql<FlightSums>`
  coalesce(sum(flights), 0)::integer as flights, coalesce(sum("inProgress"), 0)::integer as "inProgress",
  ${sql.join(['hobbs', 'tach', 'instructor', 'ground'].map((name) => sql`coalesce(sum(${sql.ref(name)}::numeric), 0)::numeric(12, 2)::text as ${sql.ref(name)}`))}`;

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
    from flight_logs where ${matchesSchoolAndFilter(schoolId, filter)}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('sums without a row');
  const { days: found, ...sums } = row;
  return { sums, days: found.map(({ day, flights, hobbs }) => ({ day, flights, hobbs })) };
}

function daySumsOf(schoolId: number | null, { filter, first, last }: DaysOfList) {
  const { timeZone = 'UTC' } = filter;
  const inDays = matchesFilter({ from: first, to: last, timeZone }, schoolId);
  return sql`select to_char(created_at at time zone ${timeZone}, 'YYYY-MM-DD') as day, ${SUM_COLUMNS}
    from flight_logs where ${matchesSchoolAndFilter(schoolId, filter)} and ${inDays} group by 1 order by 1 desc`;
}
