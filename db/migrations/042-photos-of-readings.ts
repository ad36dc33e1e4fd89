import { type Kysely, sql } from 'kysely';

/** For the newest photo of each meter of an aircraft, of whose flights few or none have one. */
export async function up(db: Kysely<any>): Promise<void> {
  for (const meter of ['hobbs', 'tach']) {
    await sql`create index ${sql.raw(`flight_logs_end_${meter}_photos`)}
      on flight_logs (school_id, aircraft_id, created_at desc, id desc)
      where ${sql.raw(`end_${meter}_photo_id`)} is not null`.execute(db);
  }
}
