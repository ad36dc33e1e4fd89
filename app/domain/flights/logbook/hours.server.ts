import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import type { Actor } from '../../actor.ts';
import { can } from '../../permissions.ts';
import type { FlightFilter } from './flight-filter.server.ts';
import { type FlightSums, matchingFlights, SUM_COLUMNS } from './flight-sums.server.ts';

export const HOURS_BY = ['pilot', 'instructor', 'aircraft'] as const;

export type HoursBy = (typeof HOURS_BY)[number];

export interface HoursRow extends FlightSums {
  /** Null for the flights without an instructor. */
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
      select ${KEYS[by]} as id, grouping(${KEYS[by]}) = 1 as "isSum", ${SUM_COLUMNS}
      from flight_logs where ${matchingFlights(schoolId, filter)} and ${ownFlights(reader, by)}
      group by grouping sets ((${KEYS[by]}), ())
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
