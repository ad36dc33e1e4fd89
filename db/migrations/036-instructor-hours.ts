import { type Kysely, sql } from 'kysely';

/** As the details and the export count them, so that sums are taken in the database (docs/decisions/113). */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table flight_logs add column instructor_hours numeric(4, 2) generated always as (
      case
        when ${isNoTime('instructor_time_in')} or ${isNoTime('instructor_time_out')} then null
        when ${minutes} >= 0 then round(${minutes} / 60.0, 2)
        when ${minutes} + 1440 <= 960 then round((${minutes} + 1440) / 60.0, 2)
      end) stored`.execute(db);
}

/** Left to the constraint, which names itself; a column that cannot be computed would not. */
const isNoTime = (column: string) => sql`${sql.ref(column)} !~ '^[0-9]{2}:[0-9]{2}$'`;

const minutesOf = (column: string) =>
  sql`(left(${sql.ref(column)}, 2)::integer * 60 + right(${sql.ref(column)}, 2)::integer)`;

const minutes = sql`(${minutesOf('instructor_time_out')} - ${minutesOf('instructor_time_in')})`;
