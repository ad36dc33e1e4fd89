import { type Kysely, sql } from 'kysely';

/** Corrections of instruction, fuel and oil, and squawks, as text (docs/decisions/208). */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table flight_log_revisions
      add column old_text text,
      add column new_text text,
      drop constraint flight_log_revisions_field_known,
      drop constraint flight_log_revisions_readings_stay,
      drop constraint flight_log_revisions_times_or_readings,
      add constraint flight_log_revisions_field_known check (field in ('start_hobbs', 'start_tach', 'end_hobbs',
        'end_tach', 'hobbs_old_last', 'hobbs_new_first', 'tach_old_last', 'tach_new_first', 'departed_at', 'landed_at',
        'hobbs_change', 'tach_change', 'instructor', 'instructor_time_in', 'instructor_time_out', 'ground_school_time',
        'fuel_and_oil', 'notes')),
      add constraint flight_log_revisions_readings_stay check (
        new_value is not null or field not in ('start_hobbs', 'start_tach', 'end_hobbs', 'end_tach')),
      add constraint flight_log_revisions_one_kind_of_value check (
        case
          when field in ('departed_at', 'landed_at') then num_nonnulls(old_value, new_value, old_text, new_text) = 0
          when field in ('start_hobbs', 'start_tach', 'end_hobbs', 'end_tach', 'hobbs_old_last', 'hobbs_new_first',
            'tach_old_last', 'tach_new_first') then num_nonnulls(old_time, new_time, old_text, new_text) = 0
          else num_nonnulls(old_value, new_value, old_time, new_time) = 0
        end)`.execute(db);
}
