import { ASK_PEOPLE_TEXT, type Rule } from './rule.ts';

/** Times of a row and of its event are those of one transaction; the event's has milliseconds. */
const atOnce = (row: string) => `told.created_at between ${row} - interval '1 second' and ${row} + interval '1 second'`;

/**
 * Schools that have not all their events any more: the last event that they brought along, which tells of rows that did not
 * come, and since when they have all. Removed ones are over 90 days old, and the last may have gone a little after younger ones.
 */
export const EVENT_COMPLETENESS_SQL = `
  complete as materialized (
    select school_id, moved_at, case when is_cut then least(now() - interval '90 days', (
        select min(created_at) + interval '1 day' from audit_entries as kept
        where kept.school_id = bounds.school_id and action <> 'recorded rows')) end as since
    from (
      select school_id, max(id) filter (where action = 'imported school') as moved_at,
        bool_or(action = 'removed old activity') as is_cut
      from audit_entries where action in ('imported school', 'removed old activity') group by school_id
    ) as bounds
  )`;

const ofSchool = (column: string, row: string) =>
  `(select ${column} from complete where complete.school_id is not distinct from ${row}.school_id)`;

/** True if events of that moment, of the school of a row, would be there. */
export const wouldHaveEventsSql = (moment: string, row: string) =>
  `${moment} >= coalesce(${ofSchool('since', row)}, '-infinity')`;

const isOfHere = (event: string, row: string) => `${event}.id > coalesce(${ofSchool('moved_at', row)}, 0)`;

/** Rules of rows that an event of the product has to tell of, since it makes them in one transaction. */
export const MISSING_EVENT_RULES: Record<string, Rule> = {
  ways_in_that_nobody_made: {
    fault: 'Something gives access, or protects it no longer, and no event tells who has done that',
    mend: 'ask its owner, who removes what is unknown at /account, or at /school-settings/webhooks, and adds anew what is right; `npm run flightline -- user:password NAME` ends a password link, and with --remove-second-factor does it for somebody who cannot sign in.',
    query: `
      with ${EVENT_COMPLETENESS_SQL}, told as materialized (
        select id, case when action ~ 'password link' then 'sent password link' else action end as action, subject_id, created_at,
          after ->> 'scope' as scope
        from audit_entries
        where action in ('added passkey', 'added access token', 'added second factor', 'removed second factor', 'added webhook',
          'deleted user', 'sent password link', 'requested password link', 'made password link on the command line')
          and outcome = 'done'
      ), ways as (
        select school_id, passkeys.created_at, user_id as of, 'added passkey' as action,
          'passkey ' || passkeys.id as subject, 'of user ' || user_id as whose, null as scope
        from passkeys join users on users.id = user_id
        union all
        select school_id, access_tokens.created_at, user_id, 'added access token',
          'access token ' || access_tokens.id, 'of user ' || user_id || ', scope ' || scope, scope
        from access_tokens join users on users.id = user_id
        union all
        select school_id, second_factors.created_at, user_id, 'added second factor', 'second factor of user ' || user_id, '', null
        from second_factors join users on users.id = user_id
        union all
        select school_id, created_at, id, 'added webhook', 'webhook ' || id, 'to ' || url, null from webhooks
        where removed_at is null
        union all
        -- An import that made its user has mailed it.
        select links.school_id, links.created_at, user_id, 'sent password link', 'password link of user ' || user_id,
          'in force until ' || expires_at, null
        from password_links as links join users on users.id = user_id
        where used_at is null and expires_at > now() and links.created_at <> users.created_at
      )
      select school_id, subject, concat_ws(', ', nullif(whose, ''), 'made ' || created_at || ': no event tells of it') as detail
      from ways where ${wouldHaveEventsSql('ways.created_at', 'ways')}
        and not exists (
          select from told where told.action = ways.action and told.subject_id = ways.of and ${atOnce('ways.created_at')}
            and coalesce(told.scope = ways.scope, true))
      union all
      select users.school_id, 'second factor of user ' || users.id,
        'is gone, event ' || newest.id || ' of ' || newest.created_at || ' says that it was added'
      from users join (
        select distinct on (subject_id) * from told
        where action in ('added second factor', 'removed second factor', 'deleted user') order by subject_id, id desc
      ) as newest on newest.subject_id = users.id
      where newest.action = 'added second factor' and ${isOfHere('newest', 'users')} and deleted_at is null
        and not exists (select from second_factors where user_id = users.id)
      union all
      select school_id, 'recovery codes of user ' || user_id, 'are ' || count(*) || ', and the product makes ten at a time'
      from recovery_codes join users on users.id = user_id group by school_id, user_id having count(*) > 10
      union all
      select mail.school_id, 'mail ' || mail.id, 'waits for ' || to_address || ', and its link is that of ' || email
      from mail_outbox as mail join (
        select school_id, mail_id, email from invitations
        union all
        select links.school_id, mail_id, email from password_links as links join users on users.id = user_id
      ) as linked on linked.school_id = mail.school_id and mail_id = mail.id
      where sent_at is null and refused_at is null and email <> '' and lower(to_address) <> lower(email)`,
  },
  corrections_without_history: {
    fault: 'A change is missing from the history of its flight or squawk',
    mend: `${ASK_PEOPLE_TEXT}: the event under Activity has both values. A backup has the rows of flight_log_revisions or squawk_events that were there.`,
    query: `
      with ${EVENT_COMPLETENESS_SQL}
      select told.school_id, 'flight ' || flight.id as subject,
        'event ' || told.id || ' of ' || told.created_at || ' tells of a correction that its history lacks' as detail
      from audit_entries as told
        join flight_logs as flight on flight.school_id = told.school_id and flight.id = told.subject_id
      where told.action = 'corrected readings' and told.outcome = 'done' and ${isOfHere('told', 'told')}
        and not exists (
          select from flight_log_revisions as revision
          where revision.school_id = flight.school_id and revision.flight_log_id = flight.id and ${atOnce('revision.created_at')})
      union all
      select told.school_id, 'squawk ' || squawk.id,
        'event ' || told.id || ' of ' || told.created_at || ' tells of a change that its history lacks'
      from audit_entries as told join squawks as squawk on squawk.school_id = told.school_id and squawk.id = told.subject_id
      where told.action in ('opened squawk', 'reopened squawk', 'deferred squawk', 'fixed squawk', 'withdrew squawk')
        and told.outcome = 'done' and ${isOfHere('told', 'told')}
        and not exists (
          select from squawk_events as event
          where event.school_id = squawk.school_id and event.squawk_id = squawk.id and ${atOnce('event.created_at')})`,
  },
};
