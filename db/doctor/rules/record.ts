import { ASK_PEOPLE_TEXT, type Rule } from './rule.ts';

interface Recorded {
  row: string;
  rows: string;
  rowsNow?: string;
  /** Field that events of earlier versions lack, which say nothing about it. */
  later?: string;
}

const rowsOf = (table: string, { at = 'created_at', content = `recorded(${table})`, where = 'true' } = {}) =>
  `select school_id, id, ${at} as at, ${content} as content from ${table} where ${where}`;

/** Rows that triggers put into the activity (migrations 104 and 107), by the subject of their events. */
const RECORDED = {
  flight_logs: {
    row: 'flight',
    rows: 'Flights',
    rowsNow: rowsOf('flight_logs', { at: 'coalesce(entered_at, created_at)' }),
    later: 'notes',
  },
  users: { row: 'user', rows: 'Roles of users' },
  aircraft: { row: 'aircraft', rows: 'Aircraft' },
  inspections: { row: 'inspection', rows: 'Inspections' },
  inspection_completions: { row: 'done-record', rows: 'Done-records of inspections' },
  accounts: {
    row: 'sign-in data of user',
    rows: 'Usernames, emails or passwords of users',
    rowsNow: rowsOf('users', { content: 'recorded_account(users)', where: 'deleted_at is null' }),
  },
  invitations: {
    row: 'invitation',
    rows: 'Invitations',
    rowsNow: rowsOf('invitations', { where: 'accepted_at is null' }),
  },
  schools: {
    row: 'protection of school',
    rows: 'The duty of the second factor, or the date of the deletion of a school,',
    rowsNow: 'select id as school_id, id, created_at as at, recorded(schools) as content from schools',
  },
  fuel_records: {
    row: 'fuel record',
    rows: 'Fuel records',
    rowsNow: `
      select fuel_records.school_id, fuel_records.id, coalesce(entered_at, created_at) as at, recorded(fuel_records) as content
      from fuel_records left join flight_logs on flight_logs.school_id = fuel_records.school_id and flight_logs.id = flight_log_id`,
  },
  squawks: { row: 'squawk', rows: 'Squawks' },
  meter_segments: { row: 'meter', rows: 'Meters', rowsNow: rowsOf('meter_segments', { at: 'started_at' }) },
} satisfies Record<string, Recorded>;

export type RecordedKind = keyof typeof RECORDED;

export const RECORDED_KINDS = Object.keys(RECORDED) as RecordedKind[];

/** Kinds that an export of a school has events of and not the values: they are recorded anew where it moves in. */
export const KINDS_WITHOUT_EXPORTED_VALUES: readonly RecordedKind[] = ['accounts', 'invitations', 'schools'];

const recorded = (kind: RecordedKind): Recorded => RECORDED[kind];

/** Events that the product wrote here: not those of the database that a school came from, with other ids. */
const eventsOf = (kind: string) => `
  from audit_entries
  where action in ('recorded rows', 'accepted rows') and subject = '${kind}'
    and id > coalesce(((select ids from moved) ->> school_id::text)::integer, 0)`;

const isRowOrNothing = (value: string) => `coalesce(jsonb_typeof(${value}), 'null') in ('object', 'null')`;

const ID_OR_NULL = `
  case when key ~ '^[1-9][0-9]{0,9}$' then case when key::bigint <= 2147483647 then key::bigint::integer end end`;

/** An event speaks of rows of its own school alone. One of no school is of somebody who may have come to a school since. */
const schoolOf = (kind: RecordedKind, row: string) =>
  kind === 'users' || kind === 'accounts'
    ? `coalesce(school_id, (select one.school_id from users as one where one.id = ${row}))`
    : 'school_id';

/**
 * Selects the rows of a kind with what their newest event says: school_id, id, event_id, recorded_at, was, says and differs.
 * What it was is null for a row that had gone, what it says for one that is gone now. A row without an event differs, unless
 * its events are too old to be kept. Rows and events are sorted together and not joined, which takes as long without
 * statistics of the tables.
 */
export const comparedRowsSql = (kind: RecordedKind) => `
  with moved as materialized (
    select jsonb_object_agg(school_id, moved_at) as ids from (
      select school_id, max(id) as moved_at from audit_entries
      where action = 'imported school' and school_id is not null and after ->> 'keptIds' = 'false' group by school_id
    ) as schools
  ), cut as materialized (
    select jsonb_object_agg(school_id, since) as since from (
      select school_id, (
        select min(created_at) from audit_entries as kept
        where kept.school_id = cleaned.school_id and action = 'recorded rows') as since
      from (
        select distinct school_id from audit_entries where action = 'removed old activity' and school_id is not null
      ) as cleaned
    ) as schools
  ), told as (
    select school_id, id, null::integer as event_id, at, content from (${recorded(kind).rowsNow ?? rowsOf(kind)}) as rows
    union all
    select ${schoolOf(kind, 'subject_id')}, subject_id, id, created_at, nullif(after, 'null')
    ${eventsOf(kind)} and subject_id > 0 and ${isRowOrNothing('after')}
    union all
    select ${schoolOf(kind, 'row_id')}, row_id, id, created_at, nullif(value, 'null')
    from (select * ${eventsOf(kind)} and subject_id is null) as events
      cross join lateral (
        select ${ID_OR_NULL} as row_id, value from jsonb_each(case when jsonb_typeof(after) = 'object' then after else '{}' end)
      ) as each
    where row_id is not null and ${isRowOrNothing('value')}
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
      else was is distinct from ${asFarAsTold(kind)} end as differs
  from compared`;

function asFarAsTold(kind: RecordedKind): string {
  const { later } = recorded(kind);
  return later === undefined ? 'says' : `case when was ? '${later}' then says else says - '${later}' end`;
}

const DIGESTS = ['username', 'email', 'password', 'link', 'notes', 'text'].map((field) => `'${field}'`).join();

/** In an event of a file values, and names, may be of any length and number. */
const valueOf = (row: string) => `left(coalesce(${row} ->> field, 'nothing'), 100)`;

const CHANGED_FIELDS = (kind: RecordedKind) => `
  select left(string_agg(
    case when field in (${DIGESTS}) then format('%s is another than event %s of %s says', field, event_id, recorded_at)
      else format('%s is %s, event %s of %s says %s', field, ${valueOf('says')}, event_id, recorded_at, ${valueOf('was')}) end,
    '; ' order by field), 1000)
  from (select jsonb_object_keys(was || says) as field limit 100) as fields where was -> field is distinct from ${asFarAsTold(kind)} -> field`;

/** What each row says is what the newest event about it says. */
export const RECORD_RULES: Record<string, Rule> = Object.fromEntries(
  RECORDED_KINDS.map((kind) => [
    `${kind}_unlike_their_events`,
    {
      fault: `${RECORDED[kind].rows} are not what the activity says: somebody changed the database by hand`,
      mend: `${ASK_PEOPLE_TEXT}, and correct it where the product does, or take it from a backup. What is right as it stands is recorded by \`npm run flightline -- doctor --accept\`.`,
      query: `
        select school_id, '${RECORDED[kind].row} ' || id as subject,
          case when event_id is null then 'no event tells of it'
            when says is null then 'is gone, event ' || event_id || ' of ' || recorded_at || ' says ' || left(was::text, 300)
            when was is null then 'is there, event ' || event_id || ' of ' || recorded_at || ' says that it was removed'
            else (${CHANGED_FIELDS(kind)}) end as detail
        from (${comparedRowsSql(kind)}) as compared where differs`,
    },
  ]),
);
