import { type Kysely, sql } from 'kysely';

/** Squawks with a state and a history; notes of earlier flights stay notes (docs/decisions/096). */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table flight_logs
      add column unsafe_at_start jsonb not null default '[]' constraint flight_logs_unsafe_at_start_is_a_list
        check (jsonb_typeof(unsafe_at_start) = 'array'),
      add constraint flight_logs_of_aircraft unique (school_id, aircraft_id, id)`.execute(db);

  await sql`
    create table squawks (
      id integer generated always as identity primary key,
      school_id integer not null references schools (id),
      aircraft_id integer not null,
      flight_log_id integer,
      user_id integer not null,
      text text not null constraint squawks_text_filled check (btrim(text) <> ''),
      unsafe boolean not null default false,
      state text not null default 'open' constraint squawks_state_known
        check (state in ('open', 'deferred', 'fixed', 'withdrawn')),
      until_hobbs reading,
      until_tach reading,
      until_on date,
      created_at timestamptz(3) not null default now(),
      constraint squawks_of_school unique (school_id, id),
      constraint squawks_deferred_until_one_point
        check (num_nonnulls(until_hobbs, until_tach, until_on) = case when state = 'deferred' then 1 else 0 end),
      foreign key (school_id, aircraft_id) references aircraft (school_id, id),
      foreign key (school_id, user_id) references users (school_id, id),
      constraint squawks_flight_of_aircraft
        foreign key (school_id, aircraft_id, flight_log_id) references flight_logs (school_id, aircraft_id, id)
    )`.execute(db);
  await sql`create unique index one_squawk_per_check_in on squawks (school_id, flight_log_id)
    where flight_log_id is not null`.execute(db);
  await sql`create index squawks_of_aircraft on squawks (school_id, aircraft_id, id desc)`.execute(db);
  await sql`create index squawks_not_fixed on squawks (school_id, aircraft_id)
    where state in ('open', 'deferred')`.execute(db);

  await sql`
    create table squawk_events (
      id integer generated always as identity primary key,
      school_id integer not null,
      squawk_id integer not null,
      user_id integer not null,
      state text not null constraint squawk_events_state_known
        check (state in ('open', 'deferred', 'fixed', 'withdrawn')),
      until_hobbs reading,
      until_tach reading,
      until_on date,
      remark text not null default '',
      created_at timestamptz(3) not null default now(),
      constraint squawk_events_fixed_with_remark check (state <> 'fixed' or btrim(remark) <> ''),
      foreign key (school_id, squawk_id) references squawks (school_id, id),
      foreign key (school_id, user_id) references users (school_id, id)
    )`.execute(db);
  await sql`create index squawk_events_of_squawk on squawk_events (school_id, squawk_id, id)`.execute(db);
  await createAppendOnlyTriggers(db, 'squawk_events');

  await sql`
    create table squawk_photos (
      school_id integer not null,
      squawk_id integer not null,
      photo_id integer not null,
      primary key (school_id, squawk_id, photo_id),
      foreign key (school_id, squawk_id) references squawks (school_id, id),
      foreign key (school_id, photo_id) references photos (school_id, id)
    )`.execute(db);
}

async function createAppendOnlyTriggers(db: Kysely<any>, table: string): Promise<void> {
  await sql`
    create function refuse_history_change() returns trigger language plpgsql as $$
      begin
        raise exception 'rows of % are only added', tg_table_name using errcode = 'restrict_violation';
      end $$`.execute(db);
  await sql`create trigger append_only before update or delete on ${sql.table(table)}
    for each row execute function refuse_history_change()`.execute(db);
  await sql`create trigger append_only_whole before truncate on ${sql.table(table)}
    for each statement execute function refuse_history_change()`.execute(db);
}
