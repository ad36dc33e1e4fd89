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
  events as not materialized (
    select id, school_id, created_at, subject_id
    from audit_entries left join (
      select school_id, max(id) as moved_at from audit_entries
      where action = 'imported school' and after ->> 'keptIds' = 'false' group by school_id
    ) as moved using (school_id)
    where action in ('recorded rows', 'accepted rows') and subject = '${table}' and id > coalesce(moved_at, 0)
  )`;

/**
 * Selects the rows of a table with what their newest event says: school_id, id, event_id, recorded_at, was, says and differs.
 * What it was is null for a row that had gone, what it says for one that is gone now. A row without an event differs, unless
 * its events are too old to be kept.
 */
export const comparedRows = (table: (typeof RECORDED_TABLES)[number]) => `
  with ${eventsOf(table)}, many as materialized (
    select id as event_id, key::integer as row_id, nullif(value, 'null') as was
    from events join audit_entries using (id) cross join lateral jsonb_each(after) where events.subject_id is null
  ), newest as (
    select row_id, max(event_id) as event_id from (
      select subject_id as row_id, id as event_id from events where subject_id is not null
      union all select row_id, event_id from many
    ) as every group by row_id
  ), recorded_rows as (
    select row_id, event_id, school_id, created_at as recorded_at,
      case when subject_id is null then many.was else after end as was
    from newest join audit_entries on audit_entries.id = event_id left join many using (event_id, row_id)
  ), present as (
    select id as row_id, school_id, ${RECORDED[table].cameAt} as came_at, recorded(${table}) as says from ${table}
  ), kept as (
    select school_id, min(created_at) as since from audit_entries where action = 'recorded rows' and exists (
      select from audit_entries as cut where cut.school_id = audit_entries.school_id and action = 'removed old activity')
    group by school_id
  )
  select coalesce(present.school_id, recorded_rows.school_id) as school_id, row_id as id, event_id, recorded_at, was, says,
    case when event_id is null then since is null or (came_at >= since and not audit_entry_expired(present.school_id, came_at))
      else was is distinct from says end as differs
  from present full join recorded_rows using (row_id) left join kept on kept.school_id = present.school_id`;

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
