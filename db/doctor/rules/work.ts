import { CHAIN_BEGINNINGS_SQL, SEALED_TEXT_SQL } from '../../activity-chain.ts';
import type { Rule } from './rule.ts';

const WITHOUT_JOB = `
  select * from (
    select 'mail' as kind, id, school_id, 0 as lane, created_at as since from mail_outbox
      where sent_at is null and refused_at is null and send_until > now()
    union all select 'delivery', id, school_id, webhook_id, created_at from webhook_deliveries
      where state = 'waiting' and webhook_id not in (select id from webhooks where removed_at is not null)
    union all select 'import', id, school_id, 0, requested_at from imports where requested is not null
    union all select 'password link', id, null, 0, created_at from password_link_requests
  ) as waiting where not exists (
    select from jobs where jobs.kind = waiting.kind and subject_id = waiting.id and given_up_at is null)`;

/** Rules of mail, webhooks, imports, removals, photos, requests and recorded activity. */
export const WORK_RULES: Record<string, Rule> = {
  jobs_stuck: {
    fault: 'Work waits for too long',
    mend: 'start Flightline if it does not run; its log says why work failed, `npm run flightline -- mail:test ADDRESS` what the mail server answers.',
    needsRunningProduct: true,
    query: `
      select jobs.school_id, kind || coalesce(' ' || nullif(subject_id, 0), '') as subject,
        'waits since ' || due_at || ', attempts: ' || jobs.attempts || ', next one ' || run_at
          || coalesce(', ' || last_error, '') as detail
      from jobs left join mail_outbox as mail on kind = 'mail' and mail.id = subject_id
      where given_up_at is null
        and not (kind = 'delivery' and lane in (select id from webhooks where paused_at is not null))
        and (run_at < now() - interval '1 hour' or (kind <> 'delivery' and
          (run_at > now() + interval '2 hours' or due_at < now() - interval '1 day')))`,
  },
  work_without_job: {
    fault: 'Something waits, and nothing will do it',
    mend: '`npm run flightline -- doctor --mend` has it done.',
    repairs: [
      `insert into jobs (kind, subject_id, school_id, lane) select kind, id, school_id, lane from (${WITHOUT_JOB}) as lost
        on conflict (kind, subject_id) do update set given_up_at = null, attempts = 0, run_at = now()`,
    ],
    query: `
      select school_id, kind || ' ' || id as subject, 'waits since ' || since || ' without a job' as detail
      from (${WITHOUT_JOB}) as lost`,
  },
  sent_mails_with_content: {
    fault: 'A sent mail still has its text, with the link in it',
    mend: '`npm run flightline -- doctor --mend` removes the text.',
    repairs: [`update mail_outbox set body_text = '', body_html = '' where sent_at is not null`],
    query: `
      select school_id, 'mail ' || id as subject, 'was sent ' || sent_at || ' and still has its text' as detail
      from mail_outbox where sent_at is not null and (body_text <> '' or body_html <> '')`,
  },
  webhooks_failing: {
    fault: 'A webhook takes no events',
    mend: 'its page under /school-settings/webhooks says what its receiver answers; remove it if nobody needs it.',
    query: `
      select school_id, 'webhook ' || id as subject, 'takes no events since ' || failing_since as detail
      from webhooks where failing_since is not null and removed_at is null`,
  },
  removals_stuck: {
    fault: 'A school that was to be deleted is still there',
    mend: 'start Flightline if it does not run; its log says why a school cannot be removed.',
    needsRunningProduct: true,
    query: `
      select id as school_id, 'school ' || id as subject, 'was to be deleted at ' || removal_due_at as detail
      from schools where removal_due_at < now() - interval '1 day'`,
  },
  photos_of_nothing: {
    fault: 'A photo belongs to nothing',
    mend: 'delete the photo, once it is clear that no flight has lost it.',
    query: `
      select school_id, 'photo ' || id as subject, 'taken ' || created_at || ', belongs to no scan, flight, receipt or squawk' as detail
      from photos where id not in (
        select photo_id from scans
        union all select crop_id from scans where crop_id is not null
        union all select photo_id from squawk_photos
        union all select receipt_photo_id from fuel_records where receipt_photo_id is not null
        union all select photo_id from flight_logs cross join lateral unnest(
          array[start_hobbs_photo_id, start_tach_photo_id, end_hobbs_photo_id, end_tach_photo_id]) as photo_id
          where photo_id is not null)`,
  },
  photos_without_picture: {
    fault: 'A photo has no picture',
    mend: 'take its content from a backup: `npm run flightline -- restore` into an empty database shows what it was.',
    query: `
      select school_id, 'photo ' || id as subject, 'taken ' || created_at || ', is empty' as detail
      from photos where octet_length(content) = 0`,
  },
  requests_without_response: {
    fault: 'A request was begun and never answered',
    mend: '`npm run flightline -- doctor --mend` forgets it, so that it can be sent again.',
    repairs: ['delete from idempotency_keys where response is null'],
    query: `
      select null::integer as school_id, 'request ' || key || ' of ' || scope as subject,
        operation || ' was begun ' || created_at || ' and has no response' as detail
      from idempotency_keys where response is null`,
  },
  activity_kept_shorter: {
    fault: 'A school keeps its activity for fewer days than its events say',
    mend: 'somebody changed the database by hand: an administrator saves the right number at /school-settings. Nothing is removed before.',
    query: `
      select id as school_id, 'school ' || id as subject,
        'keeps its activity for ' || activity_kept_days || ' days, and its events say ' || kept_days_of(id) as detail
      from schools where activity_kept_days < kept_days_of(id)`,
  },
  activity_changed: {
    fault: 'The recorded activity is not what was recorded',
    mend: 'somebody changed the database by hand: `npm run audit:verify` names the place, a backup has what was there.',
    query: `
      select nullif(chain, 0) as school_id, 'event ' || entry_id as subject,
        case when entry.id is null and not is_removed then 'was deleted'
          when previous_hash is distinct from expected_previous then 'has lost what was before it'
          else 'was changed after it was sealed' end as detail
      from (
        select seals.*, coalesce(lag(seals.hash) over of_chain, cut.hash, '') as expected_previous,
          coalesce(lag(seals.position) over of_chain, cut.position, 0) + 1 as expected_position,
          exists (select from removed_schools where school_id = seals.chain and not has_users(school_id)) as is_removed,
          lag(seals.position) over of_chain is null as is_first
        from audit_seals as seals left join (${CHAIN_BEGINNINGS_SQL}) as cut on cut.chain = seals.chain
        window of_chain as (partition by seals.chain order by seals.position)
      ) as seal left join audit_entries as entry on entry.id = entry_id
      where (entry.id is null and not is_removed)
        or (not (is_removed and is_first) and (previous_hash is distinct from expected_previous or position <> expected_position))
        or (entry.id is not null and hash <> encode(sha256(convert_to(previous_hash || E'\\n' || ${SEALED_TEXT_SQL}, 'UTF8')), 'hex'))`,
  },
};
