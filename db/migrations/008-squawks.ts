import { type Kysely, sql } from 'kysely';

/** Squawks have a state and a history, which is only added to (docs/decisions/096). */
export async function up(db: Kysely<any>): Promise<void> {
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
      change_id bigint not null default 0,
      constraint squawks_of_school unique (school_id, id),
      constraint squawks_deferred_until_one_point
        check (num_nonnulls(until_hobbs, until_tach, until_on) = case when state = 'deferred' then 1 else 0 end),
      foreign key (school_id, aircraft_id) references aircraft (school_id, id),
      foreign key (school_id, user_id) references users (school_id, id),
      constraint squawks_flight_of_aircraft
        foreign key (school_id, aircraft_id, flight_log_id) references flight_logs (school_id, aircraft_id, id)
    );
    create unique index one_squawk_per_check_in on squawks (school_id, flight_log_id) where flight_log_id is not null;
    create index squawks_of_aircraft on squawks (school_id, aircraft_id, id desc);
    create index squawks_not_fixed on squawks (school_id, aircraft_id) where state in ('open', 'deferred');

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
    );
    create index squawk_events_of_squawk on squawk_events (school_id, squawk_id, id);

    create table squawk_photos (
      school_id integer not null,
      squawk_id integer not null,
      photo_id integer not null,
      primary key (school_id, squawk_id, photo_id),
      foreign key (school_id, squawk_id) references squawks (school_id, id),
      foreign key (school_id, photo_id) references photos (school_id, id)
    )`.execute(db);

  // A history goes with its school, and that of a squawk where its import is undone.
  await sql`
    create function refuse_history_change() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' then
          if exists (select from removed_schools where school_id = old.school_id and ended_at is null) then return old; end if;
        end if;
        raise exception 'rows of % are only added', tg_table_name using errcode = 'restrict_violation';
      end $$;
    create function refuse_squawk_history_change() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' then
          if exists (select from removed_schools where school_id = old.school_id and ended_at is null) then return old; end if;
          if exists (
            select from import_rows join imports on imports.school_id = import_rows.school_id and imports.id = import_id
            where import_rows.school_id = old.school_id and squawk_id = old.squawk_id and before is null and state = 'undone')
          then return old; end if;
        end if;
        raise exception 'rows of % are only added', tg_table_name using errcode = 'restrict_violation';
      end $$;
    create trigger append_only before update or delete on squawk_events
    for each row execute function refuse_squawk_history_change();
    create trigger append_only_whole before truncate on squawk_events
    for each statement execute function refuse_history_change()`.execute(db);
}
