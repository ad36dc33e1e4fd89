import { type Kysely, sql } from 'kysely';

/** A replaced or rolled-over meter starts a segment; hours are counted within each (docs/decisions/093). */
export async function up(db: Kysely<any>): Promise<void> {
  await createSegments(db);
  await carryOverAircraft(db);
  await startWithNewAircraft(db);
  await allowChangesInFlight(db);
  await allowCorrectedChanges(db);
}

async function createSegments(db: Kysely<any>): Promise<void> {
  // Milliseconds, as the flights' times, which they are compared with.
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
    )`.execute(db);
  await sql`create unique index meter_segments_first on meter_segments (school_id, aircraft_id, meter_type)
    where reason = 'new aircraft'`.execute(db);
  await sql`create index meter_segments_of_aircraft on meter_segments (school_id, aircraft_id, meter_type, started_at)`.execute(
    db,
  );
  await sql`create unique index meter_segments_of_flight on meter_segments (school_id, flight_log_id, meter_type)
    where flight_log_id is not null`.execute(db);
}

/** Each meter's first segment begins with the first known reading. */
async function carryOverAircraft(db: Kysely<any>): Promise<void> {
  await sql`
    insert into meter_segments (school_id, aircraft_id, meter_type, reason, first_reading, started_at)
      select aircraft.school_id, aircraft.id, meter_type, 'new aircraft',
        case meter_type when 'hobbs' then coalesce(start_hobbs, last_hobbs) else coalesce(start_tach, last_tach) end,
        least(aircraft.created_at, first_flight.created_at)
      from aircraft
      cross join (values ('hobbs'), ('tachometer')) as meters (meter_type)
      left join lateral (
        select start_hobbs, start_tach, created_at from flight_logs
        where flight_logs.school_id = aircraft.school_id and aircraft_id = aircraft.id and voided_at is null
        order by created_at, id limit 1
      ) as first_flight on true
      order by aircraft.id, meter_type`.execute(db);
}

/** In the schema, so that aircraft added by the previous release have their segments too. */
async function startWithNewAircraft(db: Kysely<any>): Promise<void> {
  await sql`
    create function start_meter_segments() returns trigger language plpgsql as $$
      begin
        insert into meter_segments (school_id, aircraft_id, meter_type, reason, first_reading, started_at)
          values (new.school_id, new.id, 'hobbs', 'new aircraft', new.last_hobbs, new.created_at),
            (new.school_id, new.id, 'tachometer', 'new aircraft', new.last_tach, new.created_at);
        return null;
      end $$`.execute(db);
  await sql`create trigger start_meter_segments after insert on aircraft
    for each row execute function start_meter_segments()`.execute(db);
}

async function allowChangesInFlight(db: Kysely<any>): Promise<void> {
  await sql`
    alter table flight_logs
      add column hobbs_old_last reading,
      add column hobbs_new_first reading,
      add column tach_old_last reading,
      add column tach_new_first reading,
      add column hobbs_hours numeric(8, 2) generated always as (
        coalesce(hobbs_old_last - start_hobbs + end_hobbs - hobbs_new_first, end_hobbs - start_hobbs)) stored,
      add column tach_hours numeric(8, 2) generated always as (
        coalesce(tach_old_last - start_tach + end_tach - tach_new_first, end_tach - start_tach)) stored,
      add constraint flight_logs_hobbs_change_within check (
        (hobbs_old_last is null) = (hobbs_new_first is null)
        and (hobbs_old_last is null or (end_hobbs is not null and hobbs_old_last >= start_hobbs and end_hobbs >= hobbs_new_first))),
      add constraint flight_logs_tach_change_within check (
        (tach_old_last is null) = (tach_new_first is null)
        and (tach_old_last is null or (end_tach is not null and tach_old_last >= start_tach and end_tach >= tach_new_first))),
      drop constraint flight_logs_end_hobbs_above_start,
      drop constraint flight_logs_end_tach_above_start,
      add constraint flight_logs_end_hobbs_above_start check (
        case when hobbs_old_last is null then end_hobbs > start_hobbs
          else hobbs_old_last - start_hobbs + end_hobbs - hobbs_new_first > 0 end),
      add constraint flight_logs_end_tach_above_start check (
        case when tach_old_last is null then end_tach > start_tach
          else tach_old_last - start_tach + end_tach - tach_new_first > 0 end)`.execute(db);
}

/** A null value is of a change that a correction took back. */
async function allowCorrectedChanges(db: Kysely<any>): Promise<void> {
  await sql`
    alter table flight_log_revisions
      alter column new_value drop not null,
      drop constraint flight_log_revisions_field_known,
      add constraint flight_log_revisions_field_known check (field in ('start_hobbs', 'start_tach', 'end_hobbs', 'end_tach',
        'hobbs_old_last', 'hobbs_new_first', 'tach_old_last', 'tach_new_first')),
      add constraint flight_log_revisions_readings_stay check (
        new_value is not null or field in ('hobbs_old_last', 'hobbs_new_first', 'tach_old_last', 'tach_new_first'))`.execute(
    db,
  );
}
