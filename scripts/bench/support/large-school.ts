import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { hashPassword } from '#app/domain/people/passwords.server.ts';

const AIRCRAFT = 20;
const PEOPLE = 200;
const INSTRUCTORS = 8;
/** A prime number, so that they are of all aircraft. */
const SQUAWK_EVERY = 199;
const OPEN_SQUAWKS = 3;

export const LARGE_SCHOOL = { administrator: 'u1', password: 'bench password of nobody' };

/**
 * Fills schools that share so many flights: two of five with an instructor, six of ten with fuel, one of five with
 * notes, one of a hundred corrected, one of 199 with a squawk, of which the newest three are open, five a school in
 * progress. The first has `u1` to `u200`, an eighth of them deleted since.
 */
export async function fillSchools(db: Db, flights: number, schools = 1): Promise<void> {
  const hash = await hashPassword(LARGE_SCHOOL.password);
  const inSchool = sql`(n - 1) % ${schools}::integer + 1`;
  const person = sql`(n - 1) % ${schools}::integer * ${PEOPLE}::integer + n / ${schools}::integer % ${PEOPLE}::integer + 1`;
  const plane = sql`(n - 1) % ${schools}::integer * ${AIRCRAFT}::integer + n / ${schools}::integer % ${AIRCRAFT}::integer + 1`;
  const instructor = sql`(n - 1) % ${schools}::integer * ${PEOPLE}::integer + n / ${schools}::integer / 5 % ${INSTRUCTORS}::integer + 2`;
  const minutesAgo = (minutes: number) =>
    sql`date_trunc('second', now()) - (${flights}::integer - n) * interval '3 minutes' - ${minutes}::integer * interval '1 minute'`;
  const all = sql`generate_series(1, ${flights}::integer) as n`;
  const statements = [
    sql`insert into schools (name, time_zone)
      select 'School ' || n, 'America/New_York' from generate_series(1, ${schools}::integer) as n`,
    sql`insert into users (school_id, username, username_key, email, password_hash, role, deleted_at)
      select (n - 1) / ${PEOPLE}::integer + 1, 'u' || n, 'u' || n, 'u' || n || '@school.example', ${hash},
        case when n % ${PEOPLE}::integer = 1 then 'administrator'
          when n % ${PEOPLE}::integer between 2 and ${INSTRUCTORS + 1}::integer then 'instructor' else 'student' end,
        case when n % 8 = 0 then now() end
      from generate_series(1, ${PEOPLE * schools}::integer) as n`,
    sql`insert into aircraft (school_id, tail_number, make, model, year, last_hobbs, last_hobbs_at, last_tach, last_tach_at)
      select (n - 1) / ${AIRCRAFT}::integer + 1, 'N' || n, 'Cessna', '172S', 2004, 100000, now(), 100000, now()
      from generate_series(1, ${AIRCRAFT * schools}::integer) as n`,
    sql`insert into flight_logs (school_id, aircraft_id, user_id, instructor_id, start_hobbs, start_tach, end_hobbs, end_tach,
        notes, created_at, completed_at, completed_by)
      select ${inSchool}, ${plane}, ${person}, case when n / ${schools}::integer % 5 < 2 then ${instructor} end, n / ${AIRCRAFT}::integer, n / ${AIRCRAFT}::integer,
        n / ${AIRCRAFT}::integer + 0.9, n / ${AIRCRAFT}::integer + 0.9,
        case when n % 5 = 0 then (array['Left brake soft, radio two crackles.', 'Landing light out', 'Nose wheel shimmies',
          'Oil pressure low in the climb'])[n / 5 % 4 + 1] else '' end,
        ${minutesAgo(90)}, ${minutesAgo(30)}, ${person} from ${all}`,
    sql`insert into fuel_records (school_id, flight_log_id, refueled, oil_added, oil_quantity)
      select school_id, id, true, id % 4 = 0, case id % 4 when 0 then 1.5 end from flight_logs where id % 10 < 6`,
    sql`insert into flight_log_revisions (school_id, flight_log_id, user_id, field, old_value, new_value, reason)
      select school_id, id, user_id, 'end_hobbs', end_hobbs + 1, end_hobbs, 'Misread' from flight_logs where id % 100 = 0`,
    sql`insert into squawks (school_id, aircraft_id, user_id, flight_log_id, text, state, created_at)
      select school_id, aircraft_id, user_id, id, 'Left brake soft',
        case when id > ${flights - OPEN_SQUAWKS * SQUAWK_EVERY}::integer then 'open' else 'fixed' end, created_at
      from flight_logs where id % ${SQUAWK_EVERY}::integer = 0`,
    sql`insert into squawk_events (school_id, squawk_id, user_id, state, remark, created_at)
      select school_id, id, user_id, state, case state when 'fixed' then 'Bled' else '' end, created_at from squawks`,
    sql`insert into flight_logs (school_id, aircraft_id, user_id, start_hobbs, start_tach)
      select n, (n - 1) * ${AIRCRAFT}::integer + out, (n - 1) * ${PEOPLE}::integer + 8 * out + 3, 100000, 100000
      from generate_series(1, ${schools}::integer) as n, generate_series(1, 5) as out where ${flights}::integer > 0`,
    sql`vacuum (analyze)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
