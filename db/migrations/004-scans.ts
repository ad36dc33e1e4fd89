import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<any>): Promise<void> {
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
      foreign key (school_id, aircraft_id) references aircraft (school_id, id),
      foreign key (school_id, user_id) references users (school_id, id),
      foreign key (school_id, photo_id) references photos (school_id, id)
    )`.execute(db);
  await sql`create index scans_newest on scans (school_id, created_at desc, id desc)`.execute(db);
}
