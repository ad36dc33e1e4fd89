import { sql } from 'kysely';

/** Selects where each chain begins, by the last clean-up; those of a school that moved in say it of its chain elsewhere. */
export const CHAIN_BEGINNINGS_SQL = `
  select distinct on (coalesce(school_id, 0)) coalesce(school_id, 0) as chain, after ->> 'hash' as hash,
    case when jsonb_typeof(after -> 'position') = 'number' then (after ->> 'position')::numeric end as position
  from audit_entries where action = 'removed old activity' or (action = 'imported school' and after ? 'position')
  order by coalesce(school_id, 0), id desc`;

/** Text of all that a hash protects, the same at any time and in any time zone. */
export const SEALED_TEXT_SQL = `
  jsonb_build_array(id, school_id, user_id, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS'), action, subject,
    subject_id, before, after, reason, outcome, times, address, request_id, email_digest)::text`;

export const chainBeginningsQuery = sql.raw(CHAIN_BEGINNINGS_SQL);
export const sealedTextExpression = sql.raw<string>(SEALED_TEXT_SQL);
