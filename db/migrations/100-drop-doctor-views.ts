import { type Kysely, sql } from 'kysely';

/** The doctor's rules are queries since version 0.2.0 (docs/decisions/085); a database of 0.1.0 has them as views. */
export async function up(db: Kysely<any>): Promise<void> {
  // Each is dropped by itself, because Postgres then names the view that another one needs.
  for (const name of VIEWS) await sql`drop view if exists ${sql.table(`doctor_${name}`)}`.execute(db);
}

const VIEWS = `
  activity_changed aircraft_twice aircraft_with_two_open_flights aircraft_without_meters corrections_that_do_not_fit
  flights_ended_before_start flights_half_ended flights_with_end_below_start flights_with_times_out_of_order
  imports_stuck invitations_half_accepted invitations_of_members invitations_twice last_readings_that_do_not_fit
  mails_stuck meter_changes_that_do_not_fit open_flights_of_the_deleted people_twice photos_of_nothing
  pilots_with_two_open_flights references_that_lead_nowhere remains_of_the_deleted removals_stuck
  requests_without_response schools_without_administrator sent_mails_with_content sessions_of_the_deleted
  sessions_past_their_end squawks_that_do_not_fit webhook_events_stuck webhooks_failing`
  .trim()
  .split(/\s+/);
