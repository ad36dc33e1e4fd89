import type { Rule } from './rule.ts';

/** Rules of mail, webhooks, imports, removals, photos, requests and recorded activity. */
export const WORK: Record<string, Rule> = {
  mails_stuck: {
    fault: 'A mail waits for too long',
    mend: 'start Flightline if it does not run; `npm run flightline -- mail:test ADDRESS` says what the mail server answers.',
    needsRunningProduct: true,
    query: `
      select school_id, 'mail ' || id as subject,
        'waits since ' || created_at || ', attempts: ' || attempts || ', next one ' || next_attempt_at
          || coalesce(', ' || last_error, '') as detail
      from mail_outbox where sent_at is null and send_until > now() and (
        next_attempt_at not between now() - interval '1 hour' and now() + interval '2 hours'
        or created_at < now() - interval '1 day')`,
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
  webhook_events_stuck: {
    fault: 'Events of a webhook wait for too long',
    mend: 'start Flightline if it does not run.',
    needsRunningProduct: true,
    query: `
      select school_id, 'webhook ' || webhook_id as subject,
        'has ' || count(*) || ' events that are due since ' || min(next_attempt_at) as detail
      from webhook_deliveries as delivery
      where exists (select from webhooks where webhooks.school_id = delivery.school_id
          and webhooks.id = delivery.webhook_id and paused_at is null and removed_at is null)
        and state = 'waiting' and next_attempt_at < now() - interval '1 hour' and (not in_order or not exists (
        select from webhook_deliveries as earlier
        where earlier.school_id = delivery.school_id and earlier.webhook_id = delivery.webhook_id
          and earlier.aircraft_id = delivery.aircraft_id and earlier.id < delivery.id
          and earlier.state = 'waiting' and earlier.in_order))
      group by school_id, webhook_id`,
  },
  imports_stuck: {
    fault: 'An import waits for too long',
    mend: 'start Flightline if it does not run; it tries an import three times, and says on its page why it failed.',
    needsRunningProduct: true,
    query: `
      select school_id, 'import ' || id as subject,
        'was to be ' || case requested when 'apply' then 'imported' else 'undone' end || ' at ' || requested_at as detail
      from imports where requested_at < now() - interval '1 hour'`,
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
  requests_without_response: {
    fault: 'A request was begun and never answered',
    mend: '`npm run flightline -- doctor --mend` forgets it, so that it can be sent again.',
    repairs: ['delete from idempotency_keys where response is null'],
    query: `
      select null::integer as school_id, 'request ' || key || ' of ' || scope as subject,
        operation || ' was begun ' || created_at || ' and has no response' as detail
      from idempotency_keys where response is null`,
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
          exists (select from removed_schools where school_id = seals.chain) as is_removed,
          lag(seals.position) over of_chain is null as is_first
        from audit_seals as seals left join (
          select distinct on (coalesce(school_id, 0)) coalesce(school_id, 0) as chain,
            after ->> 'hash' as hash, (after ->> 'position')::integer as position
          from audit_entries where action = 'removed old activity' order by coalesce(school_id, 0), id desc
        ) as cut on cut.chain = seals.chain
        window of_chain as (partition by seals.chain order by seals.position)
      ) as seal left join audit_entries as entry on entry.id = entry_id
      where (entry.id is null and not is_removed)
        or (not (is_removed and is_first) and (previous_hash is distinct from expected_previous or position <> expected_position))
        or (entry.id is not null and hash <> encode(sha256(convert_to(previous_hash || E'\\n' || jsonb_build_array(
          entry.id, school_id, user_id, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS'), action, subject,
          subject_id, before, after, reason, outcome, times, address, request_id, email_digest)::text, 'UTF8')), 'hex'))`,
  },
};
