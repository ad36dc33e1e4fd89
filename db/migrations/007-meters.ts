import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<any>): Promise<void> {
  await createSegments(db);
  await createScans(db);
  await nameFlaggedReadings(db);
}

/** A replaced or rolled-over meter starts a segment; hours are counted within each (docs/decisions/093). */
async function createSegments(db: Kysely<any>): Promise<void> {
  // Times have milliseconds, as those of the flights, which they are compared with.
  await sql`
    create table meter_segments (
      id integer generated always as identity primary key,
      school_id integer not null references schools (id),
      aircraft_id integer not null,
      meter_type text not null constraint meter_segments_meter_type_known check (meter_type in ('hobbs', 'tachometer')),
      reason text not null constraint meter_segments_reason_known
        check (reason in ('new aircraft', 'replaced', 'rolled over')),
      old_last reading,
      first_reading reading,
      started_at timestamptz(3) not null default now(),
      remark text not null default '',
      declared_by integer,
      flight_log_id integer,
      foreign key (school_id, aircraft_id) references aircraft (school_id, id) on delete cascade,
      foreign key (school_id, declared_by) references users (school_id, id),
      foreign key (school_id, flight_log_id) references flight_logs (school_id, id),
      constraint meter_segments_with_readings check (
        reason = 'new aircraft' or (old_last is not null and first_reading is not null)),
      constraint meter_segments_declared check ((reason = 'new aircraft') = (declared_by is null))
    );
    create unique index meter_segments_first on meter_segments (school_id, aircraft_id, meter_type)
      where reason = 'new aircraft';
    create index meter_segments_of_aircraft on meter_segments (school_id, aircraft_id, meter_type, started_at);
    create unique index meter_segments_of_flight on meter_segments (school_id, flight_log_id, meter_type)
      where flight_log_id is not null;

    create function start_meter_segments() returns trigger language plpgsql as $$
      begin
        insert into meter_segments (school_id, aircraft_id, meter_type, reason, first_reading, started_at)
          values (new.school_id, new.id, 'hobbs', 'new aircraft', new.last_hobbs, new.created_at),
            (new.school_id, new.id, 'tachometer', 'new aircraft', new.last_tach, new.created_at);
        return null;
      end $$;
    create trigger start_meter_segments after insert on aircraft
    for each row execute function start_meter_segments()`.execute(db);
}

async function createScans(db: Kysely<any>): Promise<void> {
  await sql`
    create table scans (
      id integer generated always as identity primary key,
      school_id integer not null references schools (id),
      aircraft_id integer not null,
      user_id integer not null,
      photo_id integer not null,
      meter_type text not null constraint scans_meter_type_known check (meter_type in ('hobbs', 'tachometer')),
      detected_text text not null constraint scans_text_filled check (detected_text <> ''),
      confidence numeric not null constraint scans_confidence_in_range check (confidence between 0 and 1),
      created_at timestamptz not null default now(),
      crop_id integer,
      digits smallint constraint scans_digits_positive check (digits > 0),
      other_text text constraint scans_other_text_differs check (other_text <> '' and other_text <> detected_text),
      figures jsonb not null default '[]' constraint scans_figures_are_a_list check (jsonb_typeof(figures) = 'array'),
      other_kind text constraint scans_other_kind_known check (other_kind in ('same counter', 'other counter')),
      foreign key (school_id, aircraft_id) references aircraft (school_id, id),
      foreign key (school_id, user_id) references users (school_id, id),
      foreign key (school_id, photo_id) references photos (school_id, id),
      constraint scans_crop_of_school foreign key (school_id, crop_id) references photos (school_id, id),
      constraint scans_other_kind_of_text check (other_kind is null or other_text is not null)
    );
    create index scans_newest on scans (school_id, created_at desc, id desc)`.execute(db);
}

/** A flag that does not name its reading is one of the start. */
async function nameFlaggedReadings(db: Kysely<any>): Promise<void> {
  await sql`
    create function name_flagged_readings() returns trigger language plpgsql as $$
      begin
        new.reading_flags = (
          select jsonb_agg(
            jsonb_build_object('at', 'start', 'reading', case flag ->> 'meter' when 'hobbs' then new.start_hobbs else new.start_tach end::text)
              || flag order by position)
          from jsonb_array_elements(new.reading_flags) with ordinality as flags (flag, position));
        return new;
      end $$;
    create trigger name_flagged_readings before insert or update of reading_flags on flight_logs
    for each row when (jsonb_typeof(new.reading_flags) = 'array' and jsonb_path_exists(new.reading_flags, '$[*] ? (!exists(@.at))'))
    execute function name_flagged_readings()`.execute(db);
}
