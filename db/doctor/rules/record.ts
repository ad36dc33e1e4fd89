import { ASK, type Rule } from './rule.ts';

/** Tables whose triggers put each row into the activity (migration 104), as words and with when a row came. */
const RECORDED = {
  flight_logs: { row: 'flight', rows: 'Flights', cameAt: 'coalesce(entered_at, created_at)' },
  users: { row: 'user', rows: 'Roles of users', cameAt: 'created_at' },
  aircraft: { row: 'aircraft', rows: 'Aircraft', cameAt: 'created_at' },
  inspections: { row: 'inspection', rows: 'Inspections', cameAt: 'created_at' },
  inspection_completions: { row: 'done-record', rows: 'Done-records of inspections', cameAt: 'created_at' },
};

export const RECORDED_TABLES = Object.keys(RECORDED) as (keyof typeof RECORDED)[];

/** Events of rows of a table that the product wrote here: not those of the database that a school came from, with other ids. */
const eventsOf = (table: string) => `
  from audit_entries
  where action in ('recorded rows', 'accepted rows') and subject = '${table}'
    and id > coalesce(((select ids from moved) ->> school_id::text)::integer, 0)`;

/** An event speaks of rows of its own school alone. One of no school is of somebody who may have come to a school since. */
const schoolOf = (table: string, row: string) =>
  table === 'users'
    ? `coalesce(school_id, (select one.school_id from users as one where one.id = ${row}))`
    : 'school_id';

/**
 * Selects the rows of a table with what their newest event says: school_id, id, event_id, recorded_at, was, says and differs.
 * What it was is null for a row that had gone, what it says for one that is gone now. A row without an event differs, unless
 * its events are too old to be kept. Rows and events are sorted together and not joined, which takes as long without
 * statistics of the tables.
 */
export const comparedRows = (table: (typeof RECORDED_TABLES)[number]) => `
  with moved as materialized (
    select jsonb_object_agg(school_id, moved_at) as ids from (
      select school_id, max(id) as moved_at from audit_entries
      where action = 'imported school' and after ->> 'keptIds' = 'false' group by school_id
    ) as schools
  ), cut as materialized (
    select jsonb_object_agg(school_id, since) as since from (
      select school_id, min(created_at) filter (where action = 'recorded rows') as since from audit_entries
      where school_id is not null group by school_id having bool_or(action = 'removed old activity')
    ) as schools
  ), told as (
    select school_id, id, null::integer as event_id, ${RECORDED[table].cameAt} as at, recorded(${table}) as content
    from ${table}
    union all
    select ${schoolOf(table, 'subject_id')}, subject_id, id, created_at, after ${eventsOf(table)} and subject_id is not null
    union all
    select ${schoolOf(table, 'key::integer')}, key::integer, id, created_at, nullif(value, 'null')
    from (select * ${eventsOf(table)} and subject_id is null) as events cross join lateral jsonb_each(after)
  ), ordered as (
    select *, lead(event_id) over line as last_id, lead(at) over line as last_at, lead(content) over line as last_content,
      lag(id) over line is null as is_first
    from told window line as (partition by school_id, id order by event_id desc nulls first)
  ), compared as (
    select school_id, id, at, coalesce(event_id, last_id) as event_id,
      case when event_id is null then last_at else at end as recorded_at,
      case when event_id is null then last_content else content end as was,
      case when event_id is null then content end as says,
      ((select since from cut) ->> school_id::text)::timestamptz as since
    from ordered where is_first
  )
  select school_id, id, event_id, recorded_at, was, says,
    case when event_id is null then since is null or (at >= since and not audit_entry_expired(school_id, at))
      else was is distinct from says end as differs
  from compared`;

const CHANGED_FIELDS = `
  select string_agg(format('%s is %s, event %s of %s says %s', field, coalesce(says ->> field, 'nothing'), event_id,
    recorded_at, coalesce(was ->> field, 'nothing')), '; ' order by field)
  from jsonb_object_keys(was || says) as fields (field) where was -> field is distinct from says -> field`;

/** What each row says is what the newest event about it says. */
export const RECORD: Record<string, Rule> = Object.fromEntries(
  RECORDED_TABLES.map((table) => [
    `${table}_unlike_their_events`,
    {
      fault: `${RECORDED[table].rows} are not what the activity says: somebody changed the database by hand`,
      mend: `${ASK}, and correct it where the product does, or take it from a backup. What is right as it stands is recorded by \`npm run flightline -- doctor --accept\`.`,
      query: `
        select school_id, '${RECORDED[table].row} ' || id as subject,
          case when event_id is null then 'no event tells of it'
            when says is null then 'is gone, event ' || event_id || ' of ' || recorded_at || ' says ' || was
            when was is null then 'is there, event ' || event_id || ' of ' || recorded_at || ' says that it was removed'
            else (${CHANGED_FIELDS}) end as detail
        from (${comparedRows(table)}) as compared where differs`,
    },
  ]),
);
