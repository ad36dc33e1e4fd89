import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<any>): Promise<void> {
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

  // Milliseconds, as in JSON: the list's cursor is a created_at.
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
      ground_school_time text not null default '0' constraint flight_logs_ground_school_time_offered check (
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
      constraint flight_logs_of_school unique (school_id, id),
      foreign key (school_id, aircraft_id) references aircraft (school_id, id),
      foreign key (school_id, user_id) references users (school_id, id),
      foreign key (school_id, instructor_id) references users (school_id, id),
      foreign key (school_id, completed_by) references users (school_id, id),
      foreign key (school_id, voided_by) references users (school_id, id),
      foreign key (school_id, start_hobbs_photo_id) references photos (school_id, id),
      foreign key (school_id, start_tach_photo_id) references photos (school_id, id),
      foreign key (school_id, end_hobbs_photo_id) references photos (school_id, id),
      foreign key (school_id, end_tach_photo_id) references photos (school_id, id),
      constraint flight_logs_end_hobbs_above_start check (end_hobbs > start_hobbs),
      constraint flight_logs_end_tach_above_start check (end_tach > start_tach),
      constraint flight_logs_completed_with_readings check (
        (completed_at is null) = (end_hobbs is null) and (completed_at is null) = (end_tach is null)),
      constraint flight_logs_completed_after_start check (completed_at >= created_at),
      constraint flight_logs_voided_or_completed check (voided_at is null or completed_at is null),
      constraint flight_logs_voided_with_reason check (
        (voided_at is null) = (void_reason is null) and (voided_at is null) = (voided_by is null)),
      constraint flight_logs_clock_times check (
        instructor_time_in ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' and instructor_time_out ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
      constraint flight_logs_times_need_instructor check (
        instructor_id is not null or (instructor_time_in is null and instructor_time_out is null))
    )`.execute(db);
  await sql`create unique index one_open_flight_per_pilot on flight_logs (school_id, user_id)
    where completed_at is null and voided_at is null`.execute(db);
  await sql`create unique index one_open_flight_per_aircraft on flight_logs (school_id, aircraft_id)
    where completed_at is null and voided_at is null`.execute(db);
  await sql`create index flight_logs_newest on flight_logs (school_id, created_at desc, id desc)`.execute(db);
  await sql`create index flight_logs_newest_of_aircraft on flight_logs (school_id, aircraft_id, created_at desc, id desc)`.execute(
    db,
  );

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
    )`.execute(db);
  await sql`create index fuel_records_of_flight on fuel_records (school_id, flight_log_id)`.execute(db);

  await sql`
    create table flight_log_revisions (
      id integer generated always as identity primary key,
      school_id integer not null,
      flight_log_id integer not null,
      user_id integer not null,
      field text not null constraint flight_log_revisions_field_known
        check (field in ('start_hobbs', 'start_tach', 'end_hobbs', 'end_tach')),
      old_value reading,
      new_value reading not null,
      reason text not null constraint flight_log_revisions_reason_filled check (btrim(reason) <> ''),
      created_at timestamptz not null default now(),
      foreign key (school_id, flight_log_id) references flight_logs (school_id, id),
      foreign key (school_id, user_id) references users (school_id, id)
    )`.execute(db);
  await sql`create index flight_log_revisions_of_flight on flight_log_revisions (school_id, flight_log_id)`.execute(db);
}
