import { type Kysely, sql } from 'kysely';

/** When a flight departed and landed, where that is not when the buttons were pressed (docs/decisions/102). */
export async function up(db: Kysely<any>): Promise<void> {
  // Hours rather than days, whose length depends on the session's time zone.
  await sql`
    alter table flight_logs
      add column departed_at timestamptz(3),
      add column landed_at timestamptz(3),
      add constraint flight_logs_landed_after_departure check (
        coalesce(departed_at, created_at) <= coalesce(landed_at, completed_at)),
      add constraint flight_logs_departed_near_check_out check (departed_at >= created_at - interval '168 hours'),
      add constraint flight_logs_landed_before_check_in check (landed_at <= completed_at + interval '5 minutes'),
      add constraint flight_logs_landed_when_completed check (landed_at is null or completed_at is not null)`.execute(
    db,
  );
  await allowCorrectedTimes(db);
  for (const [name, query] of Object.entries(VIEWS)) {
    await sql.raw(`create or replace view doctor_${name} as ${query}`).execute(db);
  }
}

/** A null time is that of the button. */
async function allowCorrectedTimes(db: Kysely<any>): Promise<void> {
  await sql`
    alter table flight_log_revisions
      add column old_time timestamptz(3),
      add column new_time timestamptz(3),
      drop constraint flight_log_revisions_field_known,
      add constraint flight_log_revisions_field_known check (field in ('start_hobbs', 'start_tach', 'end_hobbs', 'end_tach',
        'hobbs_old_last', 'hobbs_new_first', 'tach_old_last', 'tach_new_first', 'departed_at', 'landed_at')),
      drop constraint flight_log_revisions_readings_stay,
      add constraint flight_log_revisions_readings_stay check (
        new_value is not null or field in ('hobbs_old_last', 'hobbs_new_first', 'tach_old_last', 'tach_new_first',
          'departed_at', 'landed_at')),
      add constraint flight_log_revisions_times_or_readings check (
        case when field in ('departed_at', 'landed_at') then num_nonnulls(old_value, new_value) = 0
          else num_nonnulls(old_time, new_time) = 0 end)`.execute(db);
}

const VIEWS = {
  // Times may change at the check-in, which is no correction.
  corrections_that_do_not_fit: `
    select flight.school_id, 'flight ' || flight.id as subject,
      'the last correction of ' || field || ' says ' || coalesce(new_value::text, 'nothing') || ', the flight says ' || coalesce(value::text, 'nothing')
        as detail
    from (
      select distinct on (school_id, flight_log_id, field) school_id, flight_log_id, field, new_value
      from flight_log_revisions where field not in ('departed_at', 'landed_at')
      order by school_id, flight_log_id, field, id desc
    ) as newest
      join flight_logs as flight on flight.school_id = newest.school_id and flight.id = newest.flight_log_id
      cross join lateral (select case field when 'start_hobbs' then start_hobbs when 'start_tach' then start_tach
        when 'end_hobbs' then end_hobbs when 'end_tach' then end_tach
        when 'hobbs_old_last' then hobbs_old_last when 'hobbs_new_first' then hobbs_new_first
        when 'tach_old_last' then tach_old_last when 'tach_new_first' then tach_new_first end as value) as current_value
    where value is distinct from new_value`,

  flights_with_times_out_of_order: `
    select school_id, 'flight ' || id as subject,
      'departed ' || coalesce(departed_at, created_at) || ', landed ' || coalesce(landed_at, completed_at)
        || ', checked in ' || completed_at as detail
    from flight_logs
    where completed_at >= created_at
      and (coalesce(departed_at, created_at) > coalesce(landed_at, completed_at)
        or landed_at > completed_at + interval '5 minutes')`,
};
