import { ASK_PEOPLE_TEXT, type Rule } from './rule.ts';

const OPEN = 'completed_at is null and voided_at is null';

export const FLIGHT_RULES: Record<string, Rule> = {
  aircraft_with_two_open_flights: {
    fault: 'An aircraft has two open flights',
    mend: `${ASK_PEOPLE_TEXT}, then close or cancel the wrong flight at /flight-logs.`,
    query: `
      select school_id, 'aircraft ' || aircraft_id as subject,
        'open flights: ' || string_agg(id::text, ', ' order by id) as detail
      from flight_logs where ${OPEN} group by school_id, aircraft_id having count(*) > 1`,
  },
  pilots_with_two_open_flights: {
    fault: 'A pilot has two open flights',
    mend: `${ASK_PEOPLE_TEXT}, then close or cancel the wrong flight at /flight-logs.`,
    query: `
      select school_id, 'user ' || user_id as subject,
        'open flights: ' || string_agg(id::text, ', ' order by id) as detail
      from flight_logs where ${OPEN} group by school_id, user_id having count(*) > 1`,
  },
  open_flights_of_the_deleted: {
    fault: 'A deleted pilot or aircraft has an open flight',
    mend: 'close or cancel the flight at /flight-logs.',
    query: `
      select flight.school_id, 'flight ' || flight.id as subject,
        case when pilot.deleted_at is not null then 'its pilot, user ' || pilot.id || ', is deleted'
          else 'its aircraft ' || plane.id || ' is deleted' end as detail
      from flight_logs as flight
        join users as pilot on pilot.id = flight.user_id
        join aircraft as plane on plane.id = flight.aircraft_id
      where flight.completed_at is null and flight.voided_at is null
        and (pilot.deleted_at is not null or plane.deleted_at is not null)`,
  },
  flights_ended_before_start: {
    fault: 'A flight ended before it began',
    mend: `${ASK_PEOPLE_TEXT}; set completed_at of the flight to created_at or later, and look at the clock of the server.`,
    query: `
      select school_id, 'flight ' || id as subject,
        'checked out ' || created_at || ', checked in ' || completed_at as detail
      from flight_logs where completed_at < created_at`,
  },
  flights_with_end_below_start: {
    fault: 'A flight ended at or below its start reading',
    mend: `${ASK_PEOPLE_TEXT}, then correct the readings at /flight-logs.`,
    query: `
      select school_id, 'flight ' || id as subject,
        concat_ws('; ', case when hobbs_hours <= 0 then 'Hobbs from ' || start_hobbs || ' to ' || end_hobbs end,
          case when tach_hours <= 0 then 'tach from ' || start_tach || ' to ' || end_tach end) as detail
      from flight_logs where hobbs_hours <= 0 or tach_hours <= 0`,
  },
  flights_half_ended: {
    fault: 'A flight is neither open, checked in nor cancelled',
    mend: `${ASK_PEOPLE_TEXT}; restore the row from a backup, or fill in what is missing.`,
    query: `
      select school_id, 'flight ' || id as subject,
        case when completed_at is not null and voided_at is not null then 'both checked in and cancelled'
          when completed_at is null and (end_hobbs is not null or end_tach is not null)
            then 'has end readings, but is not checked in'
          when completed_at is not null then 'is checked in without both end readings'
          else 'is cancelled without a person or a reason' end as detail
      from flight_logs
      where (completed_at is null) <> (end_hobbs is null) or (completed_at is null) <> (end_tach is null)
        or (completed_at is not null and voided_at is not null)
        or (voided_at is null) <> (void_reason is null) or (voided_at is null) <> (voided_by is null)`,
  },
  flights_with_times_out_of_order: {
    fault: 'A flight landed before it departed, or after it was checked in',
    mend: `${ASK_PEOPLE_TEXT}, then correct its times at /flight-logs.`,
    query: `
      select school_id, 'flight ' || id as subject,
        'departed ' || coalesce(departed_at, created_at) || ', landed ' || coalesce(landed_at, completed_at)
          || ', checked in ' || completed_at as detail
      from flight_logs
      where completed_at >= created_at
        and (coalesce(departed_at, created_at) > coalesce(landed_at, completed_at)
          or landed_at > completed_at + interval '5 minutes')`,
  },
  corrections_that_do_not_fit: {
    fault: 'A flight has another reading than its last correction says',
    mend: `${ASK_PEOPLE_TEXT}, then correct the reading at /flight-logs.`,
    // Check-in may change times, which is no correction.
    query: `
      select flight.school_id, 'flight ' || flight.id as subject,
        'the last correction of ' || field || ' says ' || coalesce(new_value::text, 'nothing') || ', the flight says ' || coalesce(value::text, 'nothing')
          as detail
      from (
        select distinct on (school_id, flight_log_id, field) school_id, flight_log_id, field, new_value
        from flight_log_revisions where field in ('start_hobbs', 'start_tach', 'end_hobbs', 'end_tach',
          'hobbs_old_last', 'hobbs_new_first', 'tach_old_last', 'tach_new_first')
        order by school_id, flight_log_id, field, id desc
      ) as newest
        join flight_logs as flight on flight.school_id = newest.school_id and flight.id = newest.flight_log_id
        cross join lateral (select case field when 'start_hobbs' then start_hobbs when 'start_tach' then start_tach
          when 'end_hobbs' then end_hobbs when 'end_tach' then end_tach
          when 'hobbs_old_last' then hobbs_old_last when 'hobbs_new_first' then hobbs_new_first
          when 'tach_old_last' then tach_old_last when 'tach_new_first' then tach_new_first end as value) as current_value
      where value is distinct from new_value`,
  },
};
