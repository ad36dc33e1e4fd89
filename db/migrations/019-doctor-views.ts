import { type Kysely, sql } from 'kysely';

/**
 * Creates the doctor's views: each names the rows that break one rule, and is empty in a sound database. Columns: school_id,
 * subject (table and row), detail (what is wrong with it).
 */
export async function up(db: Kysely<any>): Promise<void> {
  for (const [name, query] of Object.entries({ ...FLIGHTS, ...FLEET, ...PEOPLE, ...MAIL_AND_PHOTOS, ...ACTIVITY })) {
    await sql.raw(`create view doctor_${name} as ${query}`).execute(db);
  }
}

const OPEN = 'completed_at is null and voided_at is null';

const FLIGHTS = {
  aircraft_with_two_open_flights: `
    select school_id, 'aircraft ' || aircraft_id as subject,
      'open flights: ' || string_agg(id::text, ', ' order by id) as detail
    from flight_logs where ${OPEN} group by school_id, aircraft_id having count(*) > 1`,

  pilots_with_two_open_flights: `
    select school_id, 'user ' || user_id as subject,
      'open flights: ' || string_agg(id::text, ', ' order by id) as detail
    from flight_logs where ${OPEN} group by school_id, user_id having count(*) > 1`,

  open_flights_of_the_deleted: `
    select flight.school_id, 'flight ' || flight.id as subject,
      case when pilot.deleted_at is not null then 'its pilot, user ' || pilot.id || ', is deleted'
        else 'its aircraft ' || plane.id || ' is deleted' end as detail
    from flight_logs as flight
      join users as pilot on pilot.id = flight.user_id
      join aircraft as plane on plane.id = flight.aircraft_id
    where flight.completed_at is null and flight.voided_at is null
      and (pilot.deleted_at is not null or plane.deleted_at is not null)`,

  flights_ended_before_start: `
    select school_id, 'flight ' || id as subject,
      'checked out ' || created_at || ', checked in ' || completed_at as detail
    from flight_logs where completed_at < created_at`,

  flights_with_end_below_start: `
    select school_id, 'flight ' || id as subject,
      concat_ws('; ', case when end_hobbs <= start_hobbs then 'Hobbs from ' || start_hobbs || ' to ' || end_hobbs end,
        case when end_tach <= start_tach then 'tach from ' || start_tach || ' to ' || end_tach end) as detail
    from flight_logs where end_hobbs <= start_hobbs or end_tach <= start_tach`,

  flights_half_ended: `
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

  corrections_that_do_not_fit: `
    select flight.school_id, 'flight ' || flight.id as subject,
      'the last correction of ' || field || ' says ' || new_value || ', the flight says ' || coalesce(value::text, 'nothing')
        as detail
    from (
      select distinct on (school_id, flight_log_id, field) school_id, flight_log_id, field, new_value
      from flight_log_revisions order by school_id, flight_log_id, field, id desc
    ) as newest
      join flight_logs as flight on flight.school_id = newest.school_id and flight.id = newest.flight_log_id
      cross join lateral (select case field when 'start_hobbs' then start_hobbs when 'start_tach' then start_tach
        when 'end_hobbs' then end_hobbs else end_tach end as value) as current_value
    where value is distinct from new_value`,
};

const FLEET = {
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
          select from flight_log_revisions as revision join flight_logs as flight
              on flight.school_id = revision.school_id and flight.id = revision.flight_log_id
            where revision.school_id = plane.school_id and aircraft_id = plane.id and revision.field = meters.field
              and old_value = last))`,

  aircraft_twice: `
    select school_id, 'aircraft ' || string_agg(id::text, ', ' order by id) as subject,
      'all have the tail number ' || tail_number as detail
    from aircraft where deleted_at is null group by school_id, tail_number having count(*) > 1`,

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
      union all select null, 'session ' || number, 'user of any school', user_id from sessions
      union all select null, 'draft ' || form || ' of user ' || user_id, 'user of any school', user_id from drafts
    ) as child
    where target_id is not null and not exists (
      select from users where target = 'user' and users.school_id = child.school_id and id = target_id
      union all select from users where target = 'user of any school' and id = target_id
      union all select from aircraft where target = 'aircraft' and aircraft.school_id = child.school_id and id = target_id
      union all select from photos where target = 'photo' and photos.school_id = child.school_id and id = target_id
      union all select from flight_logs where target = 'flight' and flight_logs.school_id = child.school_id and id = target_id
      union all select from mail_outbox where target = 'mail' and mail_outbox.school_id = child.school_id and id = target_id)`,
};

const PEOPLE = {
  people_twice: `
    select min(school_id) as school_id, 'users ' || string_agg(id::text, ', ' order by id) as subject,
      'all have the username ' || username_key as detail
    from users where deleted_at is null group by username_key having count(*) > 1
    union all
    select school_id, 'users ' || string_agg(id::text, ', ' order by id), 'all have the email ' || lower(email)
    from users where deleted_at is null and school_id is not null group by school_id, lower(email) having count(*) > 1`,

  schools_without_administrator: `
    select id as school_id, 'school ' || id as subject, 'none of its users is an administrator' as detail
    from schools
    where exists (select from users where users.school_id = schools.id and deleted_at is null)
      and not exists (
        select from users where users.school_id = schools.id and deleted_at is null and role = 'administrator')`,

  sessions_of_the_deleted: `
    select users.school_id, 'session ' || number as subject, 'is in force for user ' || users.id || ', who is deleted' as detail
    from sessions join users on users.id = user_id
    where users.deleted_at is not null and revoked_at is null and expires_at > now()`,

  remains_of_the_deleted: `
    select school_id, 'user ' || id as subject, 'is deleted, but has ' || what as detail
    from users cross join lateral (
      select 'a password' as what where password_hash is not null
      union all select 'a second factor' where exists (select from second_factors where user_id = users.id)
      union all select 'recovery codes' where exists (select from recovery_codes where user_id = users.id)
      union all select 'a password link' where exists (select from password_links where user_id = users.id)
      union all select 'drafts' where exists (select from drafts where user_id = users.id)
    ) as remains
    where deleted_at is not null`,

  sessions_past_their_end: `
    select school_id, 'session ' || number as subject, 'expires ' || expires_at || ', after its end ' || ends_at as detail
    from sessions join users on users.id = user_id where expires_at > ends_at and revoked_at is null`,

  invitations_of_members: `
    select invitations.school_id, 'invitation ' || invitations.id as subject,
      'is pending for the address of user ' || users.id || ', who is a member already' as detail
    from invitations join users on users.school_id = invitations.school_id and lower(users.email) = lower(invitations.email)
    where accepted_at is null and expires_at > now() and users.deleted_at is null and invitations.email <> ''`,

  invitations_half_accepted: `
    select school_id, 'invitation ' || id as subject,
      case when accepted_by is null then 'was accepted by nobody' else 'was accepted by user ' || accepted_by || ' at no time' end
        as detail
    from invitations where (accepted_at is null) <> (accepted_by is null)`,
};

const MAIL_AND_PHOTOS = {
  mails_stuck: `
    select school_id, 'mail ' || id as subject,
      'waits since ' || created_at || ', attempts: ' || attempts || ', next one ' || next_attempt_at
        || coalesce(', ' || last_error, '') as detail
    from mail_outbox where sent_at is null and send_until > now() and (
      next_attempt_at not between now() - interval '1 hour' and now() + interval '2 hours'
      or created_at < now() - interval '1 day')`,

  sent_mails_with_content: `
    select school_id, 'mail ' || id as subject, 'was sent ' || sent_at || ' and still has its text' as detail
    from mail_outbox where sent_at is not null and (body_text <> '' or body_html <> '')`,

  photos_of_nothing: `
    select school_id, 'photo ' || id as subject, 'taken ' || created_at || ', belongs to no scan, flight or receipt' as detail
    from photos where id not in (
      select photo_id from scans
      union all select crop_id from scans where crop_id is not null
      union all select receipt_photo_id from fuel_records where receipt_photo_id is not null
      union all select photo_id from flight_logs cross join lateral unnest(
        array[start_hobbs_photo_id, start_tach_photo_id, end_hobbs_photo_id, end_tach_photo_id]) as photo_id
        where photo_id is not null)`,

  requests_without_response: `
    select null::integer as school_id, 'request ' || key || ' of ' || scope as subject,
      operation || ' was begun ' || created_at || ' and has no response' as detail
    from idempotency_keys where response is null`,
};

/** The text that is hashed is that of `sealedText` in app/domain/audit. */
const ACTIVITY = {
  activity_changed: `
    select nullif(chain, 0) as school_id, 'event ' || entry_id as subject,
      case when entry.id is null then 'was deleted'
        when previous_hash is distinct from expected_previous then 'has lost what was before it'
        else 'was changed after it was sealed' end as detail
    from (
      select seals.*, coalesce(lag(seals.hash) over of_chain, cut.hash, '') as expected_previous,
        coalesce(lag(seals.position) over of_chain, cut.position, 0) + 1 as expected_position
      from audit_seals as seals left join (
        select distinct on (coalesce(school_id, 0)) coalesce(school_id, 0) as chain,
          after ->> 'hash' as hash, (after ->> 'position')::integer as position
        from audit_entries where action = 'removed old activity' order by coalesce(school_id, 0), id desc
      ) as cut on cut.chain = seals.chain
      window of_chain as (partition by seals.chain order by seals.position)
    ) as seal left join audit_entries as entry on entry.id = entry_id
    where entry.id is null or previous_hash is distinct from expected_previous or position <> expected_position
      or hash <> encode(sha256(convert_to(previous_hash || E'\\n' || jsonb_build_array(
        entry.id, school_id, user_id, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS'), action, subject,
        subject_id, before, after, reason, outcome, times, address, request_id, email_digest)::text, 'UTF8')), 'hex')`,
};
