import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table inspections (
      id integer generated always as identity primary key,
      school_id integer not null references schools (id),
      aircraft_id integer not null,
      name text not null constraint inspections_name_filled check (btrim(name) <> ''),
      due_hobbs reading,
      due_tach reading,
      due_on date,
      interval_hours numeric(7, 2) constraint inspections_interval_hours_positive check (interval_hours > 0),
      interval_days integer constraint inspections_interval_days_positive check (interval_days > 0),
      interval_months integer constraint inspections_interval_months_positive check (interval_months > 0),
      overdue_mailed_at timestamptz,
      created_at timestamptz not null default now(),
      removed_at timestamptz,
      changed_at timestamptz not null default now(),
      constraint inspections_of_school unique (school_id, id),
      constraint inspections_due_at_one_point check (num_nonnulls(due_hobbs, due_tach, due_on) = 1),
      constraint inspections_one_interval check (num_nonnulls(interval_hours, interval_days, interval_months) <= 1),
      constraint inspections_interval_fits check (
        case when due_on is null then num_nonnulls(interval_days, interval_months) = 0 else interval_hours is null end),
      foreign key (school_id, aircraft_id) references aircraft (school_id, id)
    );
    create index inspections_of_aircraft on inspections (school_id, aircraft_id) where removed_at is null;

    create table inspection_completions (
      id integer generated always as identity primary key,
      school_id integer not null,
      inspection_id integer not null,
      user_id integer not null,
      done_at reading,
      done_on date not null,
      remark text not null default '',
      created_at timestamptz not null default now(),
      foreign key (school_id, inspection_id) references inspections (school_id, id),
      foreign key (school_id, user_id) references users (school_id, id)
    );
    create index inspection_completions_of_inspection
      on inspection_completions (school_id, inspection_id, id desc);
    create trigger append_only before update or delete on inspection_completions
    for each row execute function refuse_history_change();
    create trigger append_only_whole before truncate on inspection_completions
    for each statement execute function refuse_history_change()`.execute(db);
}
