import { type Kysely, sql } from 'kysely';

/** The doctor follows the references of squawks and inspections, and knows whose photos are. */
export async function up(db: Kysely<any>): Promise<void> {
  for (const [name, query] of Object.entries(VIEWS)) {
    await sql.raw(`create or replace view doctor_${name} as ${query}`).execute(db);
  }
}

const VIEWS = {
  references_that_lead_nowhere: `
    select child.school_id, child.subject, child.target || ' ' || child.target_id || ' is not there' as detail
    from (
      select school_id, 'aircraft ' || id as subject, 'user' as target, unnest(array[last_hobbs_by, last_tach_by]) as target_id
        from aircraft
      union all select school_id, 'flight ' || id, 'user', unnest(array[user_id, instructor_id, completed_by, voided_by])
        from flight_logs
      union all select school_id, 'flight ' || id, 'aircraft', aircraft_id from flight_logs
      union all select school_id, 'flight ' || id, 'photo',
        unnest(array[start_hobbs_photo_id, start_tach_photo_id, end_hobbs_photo_id, end_tach_photo_id]) from flight_logs
      union all select school_id, 'fuel record ' || id, 'flight', flight_log_id from fuel_records
      union all select school_id, 'fuel record ' || id, 'photo', receipt_photo_id from fuel_records
      union all select school_id, 'correction ' || id, 'flight', flight_log_id from flight_log_revisions
      union all select school_id, 'correction ' || id, 'user', user_id from flight_log_revisions
      union all select school_id, 'scan ' || id, 'aircraft', aircraft_id from scans
      union all select school_id, 'scan ' || id, 'user', user_id from scans
      union all select school_id, 'scan ' || id, 'photo', unnest(array[photo_id, crop_id]) from scans
      union all select school_id, 'photo ' || id, 'user', user_id from photos
      union all select school_id, 'invitation ' || id, 'user', unnest(array[invited_by, accepted_by]) from invitations
      union all select school_id, 'invitation ' || id, 'mail', mail_id from invitations
      union all select school_id, 'password link of user ' || user_id, 'user', user_id from password_links
      union all select school_id, 'meter ' || id, 'aircraft', aircraft_id from meter_segments
      union all select school_id, 'meter ' || id, 'flight', flight_log_id from meter_segments
      union all select school_id, 'meter ' || id, 'user', declared_by from meter_segments
      union all select school_id, 'squawk ' || id, 'aircraft', aircraft_id from squawks
      union all select school_id, 'squawk ' || id, 'flight', flight_log_id from squawks
      union all select school_id, 'squawk ' || id, 'user', user_id from squawks
      union all select school_id, 'event of squawk ' || squawk_id, 'squawk', squawk_id from squawk_events
      union all select school_id, 'event of squawk ' || squawk_id, 'user', user_id from squawk_events
      union all select school_id, 'photo of squawk ' || squawk_id, 'squawk', squawk_id from squawk_photos
      union all select school_id, 'photo of squawk ' || squawk_id, 'photo', photo_id from squawk_photos
      union all select school_id, 'inspection ' || id, 'aircraft', aircraft_id from inspections
      union all select school_id, 'completion of inspection ' || inspection_id, 'inspection', inspection_id
        from inspection_completions
      union all select school_id, 'completion of inspection ' || inspection_id, 'user', user_id from inspection_completions
      union all select null, 'session ' || number, 'user of any school', user_id from sessions
      union all select null, 'draft ' || form || ' of user ' || user_id, 'user of any school', user_id from drafts
    ) as child
    where target_id is not null and not exists (
      select from users where target = 'user' and users.school_id = child.school_id and id = target_id
      union all select from users where target = 'user of any school' and id = target_id
      union all select from aircraft where target = 'aircraft' and aircraft.school_id = child.school_id and id = target_id
      union all select from photos where target = 'photo' and photos.school_id = child.school_id and id = target_id
      union all select from flight_logs where target = 'flight' and flight_logs.school_id = child.school_id and id = target_id
      union all select from squawks where target = 'squawk' and squawks.school_id = child.school_id and id = target_id
      union all select from inspections where target = 'inspection' and inspections.school_id = child.school_id
        and id = target_id
      union all select from mail_outbox where target = 'mail' and mail_outbox.school_id = child.school_id and id = target_id)`,

  photos_of_nothing: `
    select school_id, 'photo ' || id as subject, 'taken ' || created_at || ', belongs to no scan, flight, receipt or squawk' as detail
    from photos where id not in (
      select photo_id from scans
      union all select crop_id from scans where crop_id is not null
      union all select photo_id from squawk_photos
      union all select receipt_photo_id from fuel_records where receipt_photo_id is not null
      union all select photo_id from flight_logs cross join lateral unnest(
        array[start_hobbs_photo_id, start_tach_photo_id, end_hobbs_photo_id, end_tach_photo_id]) as photo_id
        where photo_id is not null)`,

  squawks_that_do_not_fit: `
    select squawk.school_id, 'squawk ' || squawk.id as subject,
      'is ' || squawk.state || ', its history says ' || coalesce(newest.state, 'nothing') as detail
    from squawks as squawk left join lateral (
      select state, until_hobbs, until_tach, until_on from squawk_events
      where squawk_events.school_id = squawk.school_id and squawk_id = squawk.id order by id desc limit 1
    ) as newest on true
    where (squawk.state, squawk.until_hobbs, squawk.until_tach, squawk.until_on)
      is distinct from (newest.state, newest.until_hobbs, newest.until_tach, newest.until_on)`,
};
