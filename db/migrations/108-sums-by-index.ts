import { type Kysely, sql } from 'kysely';

/** The flights of one aircraft or pilot are summed from their index alone, without a look at each flight. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    drop index flight_logs_newest_of_aircraft, flight_logs_newest_of_pilot;
    create index flight_logs_newest_of_aircraft on flight_logs (school_id, aircraft_id, created_at desc, id desc)
      include (voided_at, completed_at, hobbs_hours, tach_hours, instructor_hours, ground_school_time);
    create index flight_logs_newest_of_pilot on flight_logs (school_id, user_id, created_at desc, id desc)
      include (voided_at, completed_at, hobbs_hours, tach_hours, instructor_hours, ground_school_time)`.execute(db);
}
