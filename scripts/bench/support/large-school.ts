import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { hashPassword } from '#app/domain/people/passwords.server.ts';

const AIRCRAFT = 20;
const PEOPLE = 200;

export const LARGE_SCHOOL = { administrator: 'u1', password: 'bench password of nobody' };

/** Schools that share so many completed flights, six of ten with fuel, one of a hundred corrected; the first has `u1` to `u200`. */
export async function fillSchools(db: Db, flights: number, schools = 1): Promise<void> {
  const hash = await hashPassword(LARGE_SCHOOL.password);
  const inSchool = sql`(n - 1) % ${schools}::integer + 1`;
  const person = sql`(n - 1) % ${schools}::integer * ${PEOPLE}::integer + n / ${schools}::integer % ${PEOPLE}::integer + 1`;
  const plane = sql`(n - 1) % ${schools}::integer * ${AIRCRAFT}::integer + n / ${schools}::integer % ${AIRCRAFT}::integer + 1`;
  const minutesAgo = (minutes: number) =>
    sql`date_trunc('second', now()) - (${flights}::integer - n) * interval '3 minutes' - ${minutes}::integer * interval '1 minute'`;
  const all = sql`generate_series(1, ${flights}::integer) as n`;
  const statements = [
    sql`insert into schools (name, time_zone)
      select 'School ' || n, 'America/New_York' from generate_series(1, ${schools}::integer) as n`,
    sql`insert into users (school_id, username, username_key, email, password_hash, role)
      select (n - 1) / ${PEOPLE}::integer + 1, 'u' || n, 'u' || n, 'u' || n || '@school.example', ${hash},
        case n % ${PEOPLE}::integer when 1 then 'administrator' when 2 then 'instructor' else 'student' end
      from generate_series(1, ${PEOPLE * schools}::integer) as n`,
    sql`insert into aircraft (school_id, tail_number, make, model, year, last_hobbs, last_hobbs_at, last_tach, last_tach_at)
      select (n - 1) / ${AIRCRAFT}::integer + 1, 'N' || n, 'Cessna', '172S', 2004, 100000, now(), 100000, now()
      from generate_series(1, ${AIRCRAFT * schools}::integer) as n`,
    sql`insert into flight_logs (school_id, aircraft_id, user_id, start_hobbs, start_tach, end_hobbs, end_tach, notes,
        created_at, completed_at, completed_by)
      select ${inSchool}, ${plane}, ${person}, n / ${AIRCRAFT}::integer, n / ${AIRCRAFT}::integer,
        n / ${AIRCRAFT}::integer + 0.9, n / ${AIRCRAFT}::integer + 0.9,
        case n % 5 when 0 then 'Left brake soft, radio two crackles.' else '' end,
        ${minutesAgo(90)}, ${minutesAgo(30)}, ${person} from ${all}`,
    sql`insert into fuel_records (school_id, flight_log_id, refueled, oil_added, oil_quantity)
      select school_id, id, true, id % 4 = 0, case id % 4 when 0 then 1.5 end from flight_logs where id % 10 < 6`,
    sql`insert into flight_log_revisions (school_id, flight_log_id, user_id, field, old_value, new_value, reason)
      select school_id, id, user_id, 'end_hobbs', end_hobbs + 1, end_hobbs, 'Misread' from flight_logs where id % 100 = 0`,
    sql`vacuum (analyze)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
