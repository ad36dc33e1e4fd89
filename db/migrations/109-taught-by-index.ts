import { type Kysely, sql } from 'kysely';

/** The flights of one instructor are summed from their index alone, too. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    drop index flight_logs_newest_of_instructor;
    create index flight_logs_newest_of_instructor on flight_logs (school_id, instructor_id, created_at desc, id desc)
      include (voided_at, completed_at, hobbs_hours, tach_hours, instructor_hours, ground_school_time)
      where instructor_id is not null`.execute(db);
}
