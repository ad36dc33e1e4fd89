import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<any>): Promise<void> {
  // numeric keeps the trailing zero of '1234.50'.
  await sql`
    create domain reading as numeric
      constraint reading_in_range check (value >= 0 and value <= 999999.99 and scale(value) <= 2);

    create table aircraft (
      id integer generated always as identity primary key,
      school_id integer not null references schools (id),
      tail_number text not null constraint aircraft_tail_number_normalized
        check (tail_number <> '' and tail_number = upper(btrim(tail_number))),
      make text not null,
      model text not null,
      year integer not null constraint aircraft_year_in_range check (year between 1900 and 2100),
      last_hobbs reading,
      last_hobbs_at timestamptz,
      last_hobbs_by integer,
      last_tach reading,
      last_tach_at timestamptz,
      last_tach_by integer,
      maintenance_since timestamptz,
      created_at timestamptz not null default now(),
      deleted_at timestamptz,
      change_id bigint not null default 0,
      constraint aircraft_of_school unique (school_id, id),
      foreign key (school_id, last_hobbs_by) references users (school_id, id),
      foreign key (school_id, last_tach_by) references users (school_id, id)
    );
    create unique index aircraft_tail_number_taken on aircraft (school_id, tail_number) where deleted_at is null;

    -- Links to an aircraft's calendar, which are read without signing in.
    create table calendar_links (
      school_id integer not null,
      user_id integer not null,
      aircraft_id integer not null,
      link_hash text not null constraint calendar_links_hash_unique unique,
      made_at timestamptz not null default now(),
      primary key (user_id, aircraft_id),
      foreign key (school_id, user_id) references users (school_id, id),
      foreign key (school_id, aircraft_id) references aircraft (school_id, id)
    );
    create index calendar_links_of_aircraft on calendar_links (school_id, aircraft_id)`.execute(db);
}
