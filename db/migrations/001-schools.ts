import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<any>): Promise<void> {
  // Nobody is reminded of a forgotten check-in where reminder_after_hours is null.
  await sql`
    create table schools (
      id integer generated always as identity primary key,
      name text not null constraint schools_name_filled check (btrim(name) <> ''),
      address text not null default '',
      phone text not null default '',
      time_zone text not null default 'UTC',
      created_at timestamptz not null default now(),
      activity_kept_days integer not null default 730
        constraint schools_activity_kept_days_known check (activity_kept_days between 90 and 3650),
      administrators_need_second_factor boolean not null default false,
      reminder_after_hours integer default 6
        constraint schools_reminder_after_hours_offered check (reminder_after_hours between 1 and 168),
      removal_due_at timestamptz
    );

    create table removed_schools (
      school_id integer primary key,
      begun_at timestamptz not null default now(),
      ended_at timestamptz,
      constraint removed_schools_end_after_begin check (ended_at >= begun_at)
    )`.execute(db);
}
