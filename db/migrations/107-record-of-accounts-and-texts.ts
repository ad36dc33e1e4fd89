import { type Kysely, sql } from 'kysely';
import {
  type Noted,
  noteChanges,
  OFTEN_IN_FLIGHTS,
  ONE_OR_MANY,
  RECORDED as RECORDED_BEFORE,
  SELDOM_IN_FLIGHTS,
} from './104-recorded-rows.ts';

type Kind = Omit<Noted, 'kind'>;

/** What else is recorded, by the subject of its events. Of texts, addresses and secrets there is a digest. */
const RECORDED: Record<string, Kind & { values: string; only?: string }> = {
  accounts: {
    table: 'users',
    recordFunction: 'recorded_account',
    only: 'one.deleted_at is null',
    values: `
      'username', record_digest('username', one.record_salt, one.username),
      'email', record_digest('email', one.record_salt, one.email),
      'password', record_digest('password', one.record_salt, one.password_hash)`,
  },
  invitations: {
    table: 'invitations',
    only: 'one.accepted_at is null',
    values: `
      'role', one.role, 'email', record_digest('email', one.record_salt, one.email),
      'link', record_digest('link', one.record_salt, one.token_hash), 'expires_at', one.expires_at at time zone 'UTC'`,
  },
  schools: {
    table: 'schools',
    schoolColumn: 'id',
    values: `
      'administrators_need_second_factor', one.administrators_need_second_factor,
      'removal_due_at', one.removal_due_at at time zone 'UTC'`,
  },
  fuel_records: {
    table: 'fuel_records',
    values: `
      'flight_log_id', one.flight_log_id, 'refueled', one.refueled, 'oil_added', one.oil_added,
      'oil_quantity', one.oil_quantity, 'receipt_photo_id', one.receipt_photo_id,
      'notes', record_digest('notes', null, one.notes)`,
  },
  squawks: {
    table: 'squawks',
    values: `
      'aircraft_id', one.aircraft_id, 'flight_log_id', one.flight_log_id, 'user_id', one.user_id, 'unsafe', one.unsafe,
      'state', one.state, 'until_hobbs', one.until_hobbs, 'until_tach', one.until_tach, 'until_on', one.until_on,
      'text', record_digest('text', null, one.text)`,
  },
  meter_segments: {
    table: 'meter_segments',
    values: `
      'aircraft_id', one.aircraft_id, 'meter_type', one.meter_type, 'reason', one.reason, 'old_last', one.old_last,
      'first_reading', one.first_reading, 'started_at', one.started_at at time zone 'UTC', 'flight_log_id', one.flight_log_id`,
  },
};

/** The activity also holds what gives power, and what a flight, its fuel, squawk and meter say (docs/decisions/073). */
export async function up(db: Kysely<any>): Promise<void> {
  await digestWithSalt(db);
  for (const [
    kind,
    { table, values, only = 'true', schoolColumn = 'school_id', recordFunction = 'recorded' },
  ] of Object.entries(RECORDED)) {
    await sql`
      create function ${sql.id(recordFunction)}(one ${sql.table(table)}) returns jsonb stable parallel safe language sql
        return case when ${sql.raw(only)} then jsonb_strip_nulls(jsonb_build_object(${sql.raw(values)})) end`.execute(
      db,
    );
    await noteChanges(db, { kind, table, schoolColumn, recordFunction });
  }
  await recordNotesOfFlights(db);
  await recordRowsOfSchool(db);
  await sql`
    select record_rows(id, ${sql.lit(Object.keys(RECORDED).join())}, 'as it stood at an upgrade')
      from (select id from schools union all select null) as every;
    create index audit_entries_of_rows on audit_entries (subject, id) where action in ('recorded rows', 'accepted rows');
    create index audit_entries_of_moves on audit_entries (school_id, id)
      where action in ('imported school', 'removed old activity')`.execute(db);
  await trustKeptDaysOfThisSchool(db);
}

async function digestWithSalt(db: Kysely<any>): Promise<void> {
  await sql`
    create function record_digest(purpose text, salt uuid, value text) returns text stable parallel safe language sql
      return case when value = '' then '' else left(encode(sha256(
        convert_to('flightline record of ' || purpose || ' ' || coalesce(salt::text, '') || ' ' || value, 'UTF8')), 'hex'), 32) end;
    create function renew_record_salt() returns trigger language plpgsql as $$
      begin
        new.record_salt = gen_random_uuid();
        return new;
      end $$`.execute(db);
  for (const table of ['users', 'invitations']) {
    await sql`
      alter table ${sql.table(table)} add column record_salt uuid not null default gen_random_uuid();
      create trigger renew_record_salt before update of email on ${sql.table(table)}
        for each row when (new.email <> old.email) execute function renew_record_salt()`.execute(db);
  }
}

/** Flights that differ from their events still do so afterwards: their notes are added to what the newest one says. */
async function recordNotesOfFlights(db: Kysely<any>): Promise<void> {
  const notes = sql`'notes', record_digest('notes', null, one.notes)`;
  await sql`
    create or replace function recorded(one flight_logs) returns jsonb stable parallel safe language sql
      return jsonb_strip_nulls(case
          when num_nonnulls(one.hobbs_old_last, one.hobbs_new_first, one.tach_old_last, one.tach_new_first, one.departed_at,
            one.landed_at, one.voided_at, one.voided_by, one.entered_at, one.entered_by) = 0
          then jsonb_build_object(${sql.raw(OFTEN_IN_FLIGHTS)}, ${notes})
          else jsonb_build_object(${sql.raw(OFTEN_IN_FLIGHTS)}, ${sql.raw(SELDOM_IN_FLIGHTS)}, ${notes}) end)`.execute(
    db,
  );
  await sql`
    insert into audit_entries (school_id, action, reason, subject, subject_id, after)
    with told as (
      select school_id, subject_id as id, id as event_id, after as record
      from audit_entries where action in ('recorded rows', 'accepted rows') and subject = 'flight_logs' and subject_id is not null
      union all
      select school_id, case when key ~ '^[1-9][0-9]{0,8}$' then key::integer end, id, value
      from audit_entries cross join lateral jsonb_each(case when jsonb_typeof(after) = 'object' then after else '{}' end)
      where action in ('recorded rows', 'accepted rows') and subject = 'flight_logs' and subject_id is null
    ), newest as (
      select distinct on (school_id, id) * from told order by school_id, id, event_id desc
    )
    select school_id, 'recorded rows', 'as it stood at an upgrade', 'flight_logs', ${ONE_OR_MANY}
    from (
      select flight.school_id, flight.id, newest.record || jsonb_build_object('notes', record_digest('notes', null, flight.notes)) as record,
        (row_number() over (partition by flight.school_id order by flight.id) - 1) / 1000 as batch
      from flight_logs as flight join newest using (school_id, id) where jsonb_typeof(newest.record) = 'object'
    ) as batches group by school_id, batch order by school_id, batch`.execute(db);
}

async function recordRowsOfSchool(db: Kysely<any>): Promise<void> {
  const before = Object.keys(RECORDED_BEFORE).map((table): [string, Kind] => [table, { table }]);
  const kinds = [...before, ...Object.entries(RECORDED)];
  const every = kinds.map(
    ([kind, { table, schoolColumn = 'school_id', recordFunction = 'recorded' }]) => sql`
    select ${sql.lit(kind)} as kind, id, ${sql.id(recordFunction)}(${sql.table(table)}) as record from ${sql.table(table)}
    where ${sql.lit(kind)} = any(string_to_array(kinds, ',')) and ${sql.ref(schoolColumn)} is not distinct from school`,
  );
  await sql`
    create function record_rows(school integer, kinds text, why text) returns void language sql as $$
      insert into audit_entries (school_id, action, reason, subject, subject_id, after)
      select school, 'recorded rows', why, kind, ${ONE_OR_MANY}
      from (
        select *, (row_number() over (partition by kind order by id) - 1) / 1000 as batch
        from (${sql.join(every, sql` union all `)}) as rows where record is not null
      ) as batches group by kind, batch order by kind, batch $$;
    create or replace function record_school(school integer) returns void language sql as $$
      select record_rows(school, ${sql.lit(kinds.map(([kind]) => kind).join())}, null) $$`.execute(db);
}

/** Counts what this school's own settings, moves and clean-ups say, and not events of a file that only look like them. */
async function trustKeptDaysOfThisSchool(db: Kysely<any>): Promise<void> {
  await sql`
    create or replace function kept_days_of(school integer) returns integer stable language sql as $$
      select greatest((select activity_kept_days from schools where id = school), coalesce((
        select (after ->> 'activityKeptDays')::numeric::integer from audit_entries
        where school_id = school and outcome = 'done'
          and case when jsonb_typeof(after -> 'activityKeptDays') = 'number'
            then (after ->> 'activityKeptDays')::numeric between 90 and 3650 end
          and ((action in ('created school', 'saved school settings', 'imported school') and subject = 'school'
              and coalesce(subject_id, school) = school) or (action = 'removed old activity' and subject = 'activity'))
          and id >= coalesce((
            select max(id) from audit_entries where school_id = school and action = 'imported school' and subject_id = school), 0)
        order by id desc limit 1), 730)) $$`.execute(db);
}
