import { BROKEN_REFERENCES_SQL } from './references.ts';
import { ASK_PEOPLE_TEXT, type Rule } from './rule.ts';
import { EVENT_COMPLETENESS_SQL, wouldHaveEventsSql } from './missing-events.ts';

/** Null for what is no reading: a school may have moved in with any text. */
const readingIn = (field: string) =>
  `case when after ->> ${field} ~ '^[0-9]{1,6}([.][0-9]+)?$' then (after ->> ${field})::numeric end`;

const STATE = (row: string) =>
  `concat_ws(' until ', ${row}.state, 'hobbs ' || ${row}.until_hobbs, 'tach ' || ${row}.until_tach, ${row}.until_on)`;

/** Rules of aircraft, their meters and squawks, and of references between all tables. */
export const FLEET_RULES: Record<string, Rule> = {
  last_readings_that_do_not_fit: {
    fault: 'The last reading of an aircraft is not that of its last flight',
    mend: 'read the meter, scan it at /ocr and save it as last reading.',
    // The newest flight is the one checked out last, or where the clock was set back the one that ended last.
    query: `
      with ${EVENT_COMPLETENESS_SQL}, saved as materialized (
        select school_id, subject_id, after from audit_entries where action = 'saved last reading'
      )
      select plane.school_id, 'aircraft ' || plane.id as subject,
        meter || ': the last reading is ' || coalesce(last::text, 'missing') || coalesce(', its newest flight '
            || (select max(id) from flight_logs where flight_logs.school_id = plane.school_id and aircraft_id = plane.id
                and completed_at is not null)
            || ' ended at ' || newest_end, ', it has not flown, and nobody saved that') as detail
      from aircraft as plane
        left join lateral (
          select end_hobbs, end_tach from flight_logs
          where flight_logs.school_id = plane.school_id and aircraft_id = plane.id and completed_at is not null
          order by id desc limit 1
        ) as newest on true
        left join lateral (
          select end_hobbs, end_tach from flight_logs
          where flight_logs.school_id = plane.school_id and aircraft_id = plane.id and completed_at is not null
          order by completed_at desc, id desc limit 1
        ) as latest on true
        cross join lateral (values
          ('Hobbs', 'hobbs', 'end_hobbs', 'last_hobbs', plane.last_hobbs, plane.last_hobbs_at, newest.end_hobbs, latest.end_hobbs),
          ('tach', 'tachometer', 'end_tach', 'last_tach', plane.last_tach, plane.last_tach_at, newest.end_tach, latest.end_tach)
        ) as meters (meter, saved_as, field, imported_as, last, last_at, newest_end, latest_end)
      where (last is null and newest_end is not null)
        or (last is not null and (last_at is null or ((last in (newest_end, latest_end)) is not true and ${wouldHaveEventsSql('last_at', 'plane')}))
          and not exists (
            select from import_rows where import_rows.school_id = plane.school_id and import_rows.aircraft_id = plane.id
              and ${readingIn('imported_as')} = last)
          and (last_at is null or (
            not exists (
              select from saved where saved.school_id = plane.school_id and subject_id = plane.id and ${readingIn('saved_as')} = last)
            and not exists (
              select from meter_segments where meter_segments.school_id = plane.school_id and aircraft_id = plane.id
                and meter_type = saved_as and first_reading = last)
            and not exists (
              select from flight_log_revisions as revision join flight_logs as flight
                  on flight.school_id = revision.school_id and flight.id = revision.flight_log_id
                where revision.school_id = plane.school_id and aircraft_id = plane.id and revision.field = meters.field
                  and old_value = last))))`,
  },
  meter_changes_that_do_not_fit: {
    fault: 'A flight and the meters of its aircraft tell different meter changes',
    mend: `${ASK_PEOPLE_TEXT}, then declare the change, or take it back, by a correction at /flight-logs.`,
    query: `
      select flight.school_id, 'flight ' || flight.id as subject,
        meter || ': the flight says ' || coalesce(flight_last || ', then ' || flight_first, 'nothing')
          || ', the meter ' || coalesce(old_last || ', then ' || first_reading, 'nothing') as detail
      from flight_logs as flight
        cross join lateral (values ('hobbs', hobbs_old_last, hobbs_new_first), ('tachometer', tach_old_last, tach_new_first))
          as changes (meter, flight_last, flight_first)
        left join meter_segments as segment
          on segment.school_id = flight.school_id and flight_log_id = flight.id and meter_type = meter
      where (num_nonnulls(hobbs_old_last, hobbs_new_first, tach_old_last, tach_new_first) > 0
          or flight.id in (select flight_log_id from meter_segments where flight_log_id is not null))
        and (flight_last, flight_first) is distinct from (old_last, first_reading)`,
  },
  aircraft_without_meters: {
    fault: 'An aircraft lacks its first meter',
    mend: "insert a row with the reason 'new aircraft' into meter_segments.",
    query: `
      select school_id, 'aircraft ' || id as subject, 'has no first ' || meter || ' meter' as detail
      from aircraft cross join (values ('hobbs'), ('tachometer')) as meters (meter)
      where not exists (
        select from meter_segments where meter_segments.school_id = aircraft.school_id and aircraft_id = aircraft.id
          and meter_type = meter and reason = 'new aircraft')`,
  },
  aircraft_twice: {
    fault: 'Two aircraft of a school have one tail number',
    mend: 'delete the one without flights at /airplanes.',
    query: `
      select school_id, 'aircraft ' || string_agg(id::text, ', ' order by id) as subject,
        'all have the tail number ' || tail_number as detail
      from aircraft where deleted_at is null group by school_id, tail_number having count(*) > 1`,
  },
  squawks_that_do_not_fit: {
    fault: 'A squawk has another state than its history says',
    mend: `${ASK_PEOPLE_TEXT}, then change its state on its page, which adds to its history.`,
    query: `
      select squawk.school_id, 'squawk ' || squawk.id as subject,
        'is ' || ${STATE('squawk')} || ', its history says ' || coalesce(nullif(${STATE('newest')}, ''), 'nothing') as detail
      from squawks as squawk left join lateral (
        select state, until_hobbs, until_tach, until_on from squawk_events
        where squawk_events.school_id = squawk.school_id and squawk_id = squawk.id order by id desc limit 1
      ) as newest on true
      where (squawk.state, squawk.until_hobbs, squawk.until_tach, squawk.until_on)
        is distinct from (newest.state, newest.until_hobbs, newest.until_tach, newest.until_on)`,
  },
  references_that_lead_nowhere: {
    fault: 'A row refers to a row that is missing, or belongs to another school',
    mend: 'restore the missing row from a backup: `npm run flightline -- restore` into an empty database shows what it was.',
    query: BROKEN_REFERENCES_SQL,
  },
};
