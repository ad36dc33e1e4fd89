import { type Kysely, sql } from 'kysely';

/** For the filters of the flight logs: by pilot, by instructor, by words of the squawks. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`create index flight_logs_newest_of_pilot on flight_logs (school_id, user_id, created_at desc, id desc)`.execute(
    db,
  );
  await sql`create index flight_logs_newest_of_instructor
    on flight_logs (school_id, instructor_id, created_at desc, id desc) where instructor_id is not null`.execute(db);
  await sql`create index flight_logs_with_squawks on flight_logs (school_id, created_at desc, id desc)
    where notes <> ''`.execute(db);
}
