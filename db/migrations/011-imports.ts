import { type Kysely, sql } from 'kysely';

/** Files that a school moves in with, and which rows came from them (docs/decisions/147). */
export async function up(db: Kysely<any>): Promise<void> {
  // The progress is apart from its import, whose row the transaction of the work has locked.
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
    );
    create index imports_newest on imports (school_id, id desc);
    create index imports_requested on imports (requested_at) where requested is not null;

    create table import_progress (
      school_id integer not null,
      import_id integer not null,
      done integer not null default 0,
      total integer not null default 0,
      primary key (school_id, import_id),
      foreign key (school_id, import_id) references imports (school_id, id) on delete cascade
    );

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
    );
    create index import_rows_of_import on import_rows (school_id, import_id, id);
    create index import_rows_aircraft on import_rows (school_id, aircraft_id) where aircraft_id is not null;
    create index import_rows_user on import_rows (school_id, user_id) where user_id is not null;
    create index import_rows_squawk on import_rows (school_id, squawk_id) where squawk_id is not null;
    create index import_rows_inspection on import_rows (school_id, inspection_id) where inspection_id is not null;
    create unique index import_rows_flight_once on import_rows (school_id, flight_log_id)
      where flight_log_id is not null`.execute(db);
}
