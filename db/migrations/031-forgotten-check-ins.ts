import { type Kysely, sql } from 'kysely';

/** A pilot is reminded once of a flight that was not checked in (docs/decisions/103). */
export async function up(db: Kysely<any>): Promise<void> {
  // Null turns reminders off.
  await sql`
    alter table schools add column reminder_after_hours integer default 6
      constraint schools_reminder_after_hours_offered check (reminder_after_hours between 1 and 168)`.execute(db);
  await sql`alter table flight_logs add column reminded_at timestamptz`.execute(db);
}
