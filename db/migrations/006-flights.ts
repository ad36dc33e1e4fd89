import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<any>): Promise<void> {
  await createPhotos(db);
  await createFlightLogs(db);
  await createIndexes(db);
  await createRecordsOfFlights(db);
}

async function createPhotos(db: Kysely<any>): Promise<void> {
  await sql`
    create table photos (
      id integer generated always as identity primary key,
      school_id integer not null references schools (id),
      user_id integer not null,
      content bytea not null,
      width integer not null,
      height integer not null,
      created_at timestamptz not null default now(),
      constraint photos_of_school unique (school_id, id),
      foreign key (school_id, user_id) references users (school_id, id)
    )`.execute(db);
}

async function createFlightLogs(db: Kysely<any>): Promise<void> {
  // Times have milliseconds, as in JSON: the list's cursor is a created_at. Intervals are in hours, because the length of a
  // day depends on the session's time zone. Instructor's times that are none are left to their constraint, which names itself.
  await sql`
    create table flight_logs (
      id integer generated always as identity primary key,
      school_id integer not null references schools (id),
      aircraft_id integer not null,
      user_id integer not null,
      instructor_id integer,
      start_hobbs reading not null,
      start_tach reading not null,
      end_hobbs reading,
      end_tach reading,
      reading_flags jsonb not null default '[]' constraint flight_logs_flags_are_a_list
        check (jsonb_typeof(reading_flags) = 'array'),
      instructor_time_in text,
      instructor_time_out text,
      ground_school_time text not null default '0' constraint flight_logs_ground_school_time_known check (
        ground_school_time in ('0', '0.25', '0.5', '0.75', '1', '1.25', '1.5', '1.75', '2', '2.25', '2.5', '2.75', '3')),
      notes text not null default '',
      start_hobbs_photo_id integer,
      start_tach_photo_id integer,
      end_hobbs_photo_id integer,
      end_tach_photo_id integer,
      created_at timestamptz(3) not null default now(),
      completed_at timestamptz(3),
      completed_by integer,
      close_reason text,
      voided_at timestamptz,
      voided_by integer,
      void_reason text,
      hobbs_old_last reading,
      hobbs_new_first reading,
      tach_old_last reading,
      tach_new_first reading,
      hobbs_hours numeric(8, 2) generated always as (
        coalesce(hobbs_old_last - start_hobbs + end_hobbs - hobbs_new_first, end_hobbs - start_hobbs)) stored,
      tach_hours numeric(8, 2) generated always as (
        coalesce(tach_old_last - start_tach + end_tach - tach_new_first, end_tach - start_tach)) stored,
      unsafe_at_start jsonb not null default '[]' constraint flight_logs_unsafe_at_start_is_a_list
        check (jsonb_typeof(unsafe_at_start) = 'array'),
      overdue_at_start jsonb not null default '[]' constraint flight_logs_overdue_at_start_is_a_list
        check (jsonb_typeof(overdue_at_start) = 'array'),
      departed_at timestamptz(3),
      landed_at timestamptz(3),
      reminded_at timestamptz,
      instructor_hours numeric(4, 2) generated always as (
        case
          when instructor_time_in !~ '^[0-9]{2}:[0-9]{2}$' or instructor_time_out !~ '^[0-9]{2}:[0-9]{2}$' then null
          when ${minutes} >= 0 then round(${minutes} / 60.0, 2)
          when ${minutes} + 1440 <= 960 then round((${minutes} + 1440) / 60.0, 2)
        end) stored,
      change_id bigint not null default 0,
      entered_by integer,
      entered_at timestamptz(3),
      entry_reason text,
      constraint flight_logs_of_school unique (school_id, id),
      constraint flight_logs_of_aircraft unique (school_id, aircraft_id, id),
      foreign key (school_id, aircraft_id) references aircraft (school_id, id),
      foreign key (school_id, user_id) references users (school_id, id),
      foreign key (school_id, instructor_id) references users (school_id, id),
      foreign key (school_id, completed_by) references users (school_id, id),
      foreign key (school_id, voided_by) references users (school_id, id),
      foreign key (school_id, entered_by) references users (school_id, id),
      foreign key (school_id, start_hobbs_photo_id) references photos (school_id, id),
      foreign key (school_id, start_tach_photo_id) references photos (school_id, id),
      foreign key (school_id, end_hobbs_photo_id) references photos (school_id, id),
      foreign key (school_id, end_tach_photo_id) references photos (school_id, id),
      constraint flight_logs_end_hobbs_above_start check (
        case when hobbs_old_last is null then end_hobbs > start_hobbs
          else hobbs_old_last - start_hobbs + end_hobbs - hobbs_new_first > 0 end),
      constraint flight_logs_end_tach_above_start check (
        case when tach_old_last is null then end_tach > start_tach
          else tach_old_last - start_tach + end_tach - tach_new_first > 0 end),
      constraint flight_logs_hobbs_change_within check (
        (hobbs_old_last is null) = (hobbs_new_first is null)
        and (hobbs_old_last is null or (end_hobbs is not null and hobbs_old_last >= start_hobbs and end_hobbs >= hobbs_new_first))),
      constraint flight_logs_tach_change_within check (
        (tach_old_last is null) = (tach_new_first is null)
        and (tach_old_last is null or (end_tach is not null and tach_old_last >= start_tach and end_tach >= tach_new_first))),
      constraint flight_logs_completed_with_readings check (
        (completed_at is null) = (end_hobbs is null) and (completed_at is null) = (end_tach is null)),
      constraint flight_logs_completed_after_start check (completed_at >= created_at),
      constraint flight_logs_landed_after_departure check (
        coalesce(departed_at, created_at) <= coalesce(landed_at, completed_at)),
      constraint flight_logs_departed_near_check_out check (departed_at >= created_at - interval '168 hours'),
      constraint flight_logs_landed_before_check_in check (landed_at <= completed_at + interval '5 minutes'),
      constraint flight_logs_landed_when_completed check (landed_at is null or completed_at is not null),
      constraint flight_logs_closed_with_reason check (
        coalesce(completed_by <> user_id, false) = (close_reason is not null)),
      constraint flight_logs_reasons_filled check (btrim(close_reason) <> '' and btrim(void_reason) <> ''),
      constraint flight_logs_voided_or_completed check (voided_at is null or completed_at is null),
      constraint flight_logs_voided_with_reason check (
        (voided_at is null) = (void_reason is null) and (voided_at is null) = (voided_by is null)),
      constraint flight_logs_entered_with_reason check (
        (entered_by is null) = (entered_at is null) and (entered_by is null) = (entry_reason is null)),
      constraint flight_logs_entry_reason_filled check (btrim(entry_reason) <> ''),
      constraint flight_logs_entered_after_landing check (
        entered_at is null or (completed_at is not null and completed_at <= entered_at)),
      constraint flight_logs_clock_times check (
        instructor_time_in ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' and instructor_time_out ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
      constraint flight_logs_times_need_instructor check (
        instructor_id is not null or (instructor_time_in is null and instructor_time_out is null))
    )`.execute(db);
}

const minutesOf = (column: string) =>
  sql`(left(${sql.ref(column)}, 2)::integer * 60 + right(${sql.ref(column)}, 2)::integer)`;

const minutes = sql`(${minutesOf('instructor_time_out')} - ${minutesOf('instructor_time_in')})`;

async function createIndexes(db: Kysely<any>): Promise<void> {
  await sql`
    create unique index one_open_flight_per_pilot on flight_logs (school_id, user_id)
      where completed_at is null and voided_at is null;
    create unique index one_open_flight_per_aircraft on flight_logs (school_id, aircraft_id)
      where completed_at is null and voided_at is null;
    create index flight_logs_newest on flight_logs (school_id, created_at desc, id desc);
    create index flight_logs_newest_of_aircraft on flight_logs (school_id, aircraft_id, created_at desc, id desc);
    create index flight_logs_newest_of_pilot on flight_logs (school_id, user_id, created_at desc, id desc);
    create index flight_logs_newest_of_instructor on flight_logs (school_id, instructor_id, created_at desc, id desc)
      where instructor_id is not null;
    create index flight_logs_with_squawks on flight_logs (school_id, created_at desc, id desc) where notes <> '';
    create index flight_logs_end_hobbs_photos on flight_logs (school_id, aircraft_id, created_at desc, id desc)
      where end_hobbs_photo_id is not null;
    create index flight_logs_end_tach_photos on flight_logs (school_id, aircraft_id, created_at desc, id desc)
      where end_tach_photo_id is not null`.execute(db);
}

async function createRecordsOfFlights(db: Kysely<any>): Promise<void> {
  // A correction's null takes back a meter change, or gives the time of the button back.
  await sql`
    create table fuel_records (
      id integer generated always as identity primary key,
      school_id integer not null,
      flight_log_id integer not null,
      refueled boolean not null default false,
      receipt_photo_id integer,
      oil_added boolean not null default false,
      oil_quantity numeric(7, 1) constraint fuel_records_oil_quantity_not_negative check (oil_quantity >= 0),
      notes text not null default '',
      foreign key (school_id, flight_log_id) references flight_logs (school_id, id),
      foreign key (school_id, receipt_photo_id) references photos (school_id, id)
    );
    create index fuel_records_of_flight on fuel_records (school_id, flight_log_id);

    create table flight_log_revisions (
      id integer generated always as identity primary key,
      school_id integer not null,
      flight_log_id integer not null,
      user_id integer not null,
      field text not null constraint flight_log_revisions_field_known check (field in ('start_hobbs', 'start_tach',
        'end_hobbs', 'end_tach', 'hobbs_old_last', 'hobbs_new_first', 'tach_old_last', 'tach_new_first', 'departed_at',
        'landed_at')),
      old_value reading,
      new_value reading,
      reason text not null constraint flight_log_revisions_reason_filled check (btrim(reason) <> ''),
      created_at timestamptz not null default now(),
      old_time timestamptz(3),
      new_time timestamptz(3),
      foreign key (school_id, flight_log_id) references flight_logs (school_id, id),
      foreign key (school_id, user_id) references users (school_id, id),
      constraint flight_log_revisions_readings_stay check (new_value is not null or field in ('hobbs_old_last',
        'hobbs_new_first', 'tach_old_last', 'tach_new_first', 'departed_at', 'landed_at')),
      constraint flight_log_revisions_times_or_readings check (
        case when field in ('departed_at', 'landed_at') then num_nonnulls(old_value, new_value) = 0
          else num_nonnulls(old_time, new_time) = 0 end)
    );
    create index flight_log_revisions_of_flight on flight_log_revisions (school_id, flight_log_id)`.execute(db);
}
