import { type Kysely, sql } from 'kysely';

/** Files that a school moves in with, and which rows came from them (docs/decisions/147). */
export async function up(db: Kysely<any>): Promise<void> {
  await createImports(db);
  await createImportRows(db);
  await allowUndoneSquawks(db);
  await sql.raw(`create or replace view doctor_last_readings_that_do_not_fit as ${LAST_READINGS}`).execute(db);
}

async function createImports(db: Kysely<any>): Promise<void> {
  await sql`
    create table imports (
      id integer generated always as identity primary key,
      school_id integer not null references schools (id),
      user_id integer,
      kind text not null constraint imports_kind_known
        check (kind in ('fleet', 'people', 'flights', 'squawks', 'inspections')),
      file_name text not null,
      file_hash text not null,
      content bytea,
      columns jsonb not null,
      formats jsonb not null,
      options jsonb not null default '{}',
      preview jsonb not null,
      state text not null default 'uploaded' constraint imports_state_known
        check (state in ('uploaded', 'applied', 'undone')),
      requested text constraint imports_requested_known check (requested in ('apply', 'undo')),
      requested_by integer,
      requested_at timestamptz,
      attempts integer not null default 0,
      failure text,
      created_at timestamptz not null default now(),
      applied_at timestamptz,
      undone_at timestamptz,
      constraint imports_of_school unique (school_id, id),
      foreign key (school_id, user_id) references users (school_id, id),
      foreign key (school_id, requested_by) references users (school_id, id),
      constraint imports_requested_at_a_time check ((requested is null) = (requested_at is null)),
      constraint imports_requested_in_order check (
        case requested when 'apply' then state = 'uploaded' when 'undo' then state = 'applied' else true end),
      constraint imports_uploaded_with_content check (state <> 'uploaded' or content is not null),
      constraint imports_applied_at_a_time check (
        (state = 'uploaded') = (applied_at is null) and (state = 'undone') = (undone_at is not null))
    )`.execute(db);
  await sql`create index imports_newest on imports (school_id, id desc)`.execute(db);
  await sql`create index imports_requested on imports (requested_at) where requested is not null`.execute(db);

  // Apart from its import, whose row the transaction of the work has locked.
  await sql`
    create table import_progress (
      school_id integer not null,
      import_id integer not null,
      done integer not null default 0,
      total integer not null default 0,
      primary key (school_id, import_id),
      foreign key (school_id, import_id) references imports (school_id, id) on delete cascade
    )`.execute(db);
}

async function createImportRows(db: Kysely<any>): Promise<void> {
  await sql`
    create table import_rows (
      id integer generated always as identity primary key,
      school_id integer not null,
      import_id integer not null,
      row_number integer,
      source_id text,
      aircraft_id integer,
      user_id integer,
      flight_log_id integer,
      squawk_id integer,
      inspection_id integer,
      before jsonb,
      after jsonb,
      foreign key (school_id, import_id) references imports (school_id, id) on delete cascade,
      foreign key (school_id, aircraft_id) references aircraft (school_id, id) on delete cascade,
      foreign key (school_id, user_id) references users (school_id, id) on delete cascade,
      foreign key (school_id, flight_log_id) references flight_logs (school_id, id) on delete cascade,
      foreign key (school_id, squawk_id) references squawks (school_id, id) on delete cascade,
      foreign key (school_id, inspection_id) references inspections (school_id, id) on delete cascade,
      constraint import_rows_of_one_record
        check (num_nonnulls(aircraft_id, user_id, flight_log_id, squawk_id, inspection_id) = 1)
    )`.execute(db);
  await sql`create index import_rows_of_import on import_rows (school_id, import_id, id)`.execute(db);
  for (const column of ['aircraft_id', 'user_id', 'squawk_id', 'inspection_id'])
    await sql`create index ${sql.ref(`import_rows_${column.replace('_id', '')}`)} on import_rows (school_id, ${sql.ref(column)})
      where ${sql.ref(column)} is not null`.execute(db);
  await sql`create unique index import_rows_flight_once on import_rows (school_id, flight_log_id)
    where flight_log_id is not null`.execute(db);
}

/** The history of a squawk goes with it only where its import is undone. */
async function allowUndoneSquawks(db: Kysely<any>): Promise<void> {
  await sql`
    create function refuse_squawk_history_change() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' and exists (
          select from import_rows join imports on imports.school_id = import_rows.school_id and imports.id = import_id
          where import_rows.school_id = old.school_id and squawk_id = old.squawk_id and before is null and state = 'undone')
        then return old; end if;
        raise exception 'rows of % are only added', tg_table_name using errcode = 'restrict_violation';
      end $$`.execute(db);
  await sql`drop trigger append_only on squawk_events`.execute(db);
  await sql`create trigger append_only before update or delete on squawk_events
    for each row execute function refuse_squawk_history_change()`.execute(db);
}

/** An imported last reading may be that of no flight. */
const LAST_READINGS = `
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
        ('Hobbs', 'hobbs', 'end_hobbs', 'last_hobbs', plane.last_hobbs, plane.last_hobbs_at, newest.end_hobbs, latest.end_hobbs),
        ('tach', 'tachometer', 'end_tach', 'last_tach', plane.last_tach, plane.last_tach_at, newest.end_tach, latest.end_tach)
      ) as meters (meter, saved_as, field, imported_as, last, last_at, newest_end, latest_end)
    where last is null
      or ((last_at is null or (last not in (newest_end, latest_end) and last_at > now() - interval '90 days'))
        and not exists (
          select from import_rows where import_rows.school_id = plane.school_id and import_rows.aircraft_id = plane.id
            and (after ->> imported_as)::numeric = last)
        and (last_at is null or (
          not exists (
            select from audit_entries where audit_entries.school_id = plane.school_id and action = 'saved last reading'
              and subject_id = plane.id and (after ->> saved_as)::numeric = last)
          and not exists (
            select from meter_segments where meter_segments.school_id = plane.school_id and aircraft_id = plane.id
              and meter_type = saved_as and first_reading = last)
          and not exists (
            select from flight_log_revisions as revision join flight_logs as flight
                on flight.school_id = revision.school_id and flight.id = revision.flight_log_id
              where revision.school_id = plane.school_id and aircraft_id = plane.id and revision.field = meters.field
                and old_value = last))))`;
