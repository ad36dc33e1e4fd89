import { type Kysely, sql } from 'kysely';

/** The doctor counts hours across changed meters, and knows what must fit them. */
export async function up(db: Kysely<any>): Promise<void> {
  for (const [name, query] of Object.entries(VIEWS)) {
    await sql.raw(`create or replace view doctor_${name} as ${query}`).execute(db);
  }
}

const VIEWS = {
  flights_with_end_below_start: `
    select school_id, 'flight ' || id as subject,
      concat_ws('; ', case when hobbs_hours <= 0 then 'Hobbs from ' || start_hobbs || ' to ' || end_hobbs end,
        case when tach_hours <= 0 then 'tach from ' || start_tach || ' to ' || end_tach end) as detail
    from flight_logs where hobbs_hours <= 0 or tach_hours <= 0`,

  corrections_that_do_not_fit: `
    select flight.school_id, 'flight ' || flight.id as subject,
      'the last correction of ' || field || ' says ' || coalesce(new_value::text, 'nothing') || ', the flight says ' || coalesce(value::text, 'nothing')
        as detail
    from (
      select distinct on (school_id, flight_log_id, field) school_id, flight_log_id, field, new_value
      from flight_log_revisions order by school_id, flight_log_id, field, id desc
    ) as newest
      join flight_logs as flight on flight.school_id = newest.school_id and flight.id = newest.flight_log_id
      cross join lateral (select case field when 'start_hobbs' then start_hobbs when 'start_tach' then start_tach
        when 'end_hobbs' then end_hobbs when 'end_tach' then end_tach
        when 'hobbs_old_last' then hobbs_old_last when 'hobbs_new_first' then hobbs_new_first
        when 'tach_old_last' then tach_old_last when 'tach_new_first' then tach_new_first end as value) as current_value
    where value is distinct from new_value`,

  // The newest flight is the one checked out last, or where the clock was set back the one that ended last.
  last_readings_that_do_not_fit: `
    select plane.school_id, 'aircraft ' || plane.id as subject,
      meter || ': the last reading is ' || coalesce(last::text, 'missing') || ', its newest flight '
        || (select max(id) from flight_logs where flight_logs.school_id = plane.school_id and aircraft_id = plane.id
            and completed_at is not null)
        || ' ended at ' || newest_end as detail
    from aircraft as plane
      join lateral (
        select end_hobbs, end_tach from flight_logs
        where flight_logs.school_id = plane.school_id and aircraft_id = plane.id and completed_at is not null
        order by id desc limit 1
      ) as newest on true
      join lateral (
        select end_hobbs, end_tach from flight_logs
        where flight_logs.school_id = plane.school_id and aircraft_id = plane.id and completed_at is not null
        order by completed_at desc, id desc limit 1
      ) as latest on true
      cross join lateral (values
        ('Hobbs', 'hobbs', 'end_hobbs', plane.last_hobbs, plane.last_hobbs_at, newest.end_hobbs, latest.end_hobbs),
        ('tach', 'tachometer', 'end_tach', plane.last_tach, plane.last_tach_at, newest.end_tach, latest.end_tach)
      ) as meters (meter, saved_as, field, last, last_at, newest_end, latest_end)
    where last is null or last_at is null
      or (last not in (newest_end, latest_end) and last_at > now() - interval '90 days'
        and not exists (
          select from audit_entries where audit_entries.school_id = plane.school_id and action = 'saved last reading'
            and subject_id = plane.id and (after ->> saved_as)::numeric = last)
        and not exists (
          select from meter_segments where meter_segments.school_id = plane.school_id and aircraft_id = plane.id
            and meter_type = saved_as and first_reading = last)
        and not exists (
          select from flight_log_revisions as revision join flight_logs as flight
              on flight.school_id = revision.school_id and flight.id = revision.flight_log_id
            where revision.school_id = plane.school_id and aircraft_id = plane.id and revision.field = meters.field
              and old_value = last))`,

  meter_changes_that_do_not_fit: `
    select flight.school_id, 'flight ' || flight.id as subject,
      meter || ': the flight says ' || coalesce(flight_last || ', then ' || flight_first, 'nothing')
        || ', the meter ' || coalesce(old_last || ', then ' || first_reading, 'nothing') as detail
    from flight_logs as flight
      cross join lateral (values ('hobbs', hobbs_old_last, hobbs_new_first), ('tachometer', tach_old_last, tach_new_first))
        as changes (meter, flight_last, flight_first)
      left join meter_segments as segment
        on segment.school_id = flight.school_id and flight_log_id = flight.id and meter_type = meter
    where (flight_last, flight_first) is distinct from (old_last, first_reading)`,

  aircraft_without_meters: `
    select school_id, 'aircraft ' || id as subject, 'has no first ' || meter || ' meter' as detail
    from aircraft cross join (values ('hobbs'), ('tachometer')) as meters (meter)
    where not exists (
      select from meter_segments where meter_segments.school_id = aircraft.school_id and aircraft_id = aircraft.id
        and meter_type = meter and reason = 'new aircraft')`,
};
