import { type Kysely, sql } from 'kysely';

/** Key of the advisory locks of commits, beside the school's id; nothing else locks this number. */
const COMMIT_LOCK = 20_261_122;

/**
 * Which transaction changed a row last, when it was committed, and which flights are gone: for those who follow a school's
 * changes (docs/decisions/152).
 */
export async function up(db: Kysely<any>): Promise<void> {
  await createChanges(db);
  await markChanges(db);
  await noteRemovals(db);
}

async function createChanges(db: Kysely<any>): Promise<void> {
  // end_change fires at COMMIT: who takes its lock alone has seen every change that ended before.
  // current_change makes one row for each transaction and school.
  await sql`
    create table changes (
      id bigint generated always as identity primary key,
      school_id integer references schools (id) on delete cascade,
      ended_at timestamptz
    );
    create index changes_newest on changes (school_id, ended_at) where ended_at is not null;

    create function end_change() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(${sql.lit(COMMIT_LOCK)}, coalesce(new.school_id, 0));
      -- Never before another that has ended, whatever becomes of the clock.
      update changes set ended_at = greatest(clock_timestamp(), (
        select max(ended_at) from changes as ended where ended.school_id = new.school_id)) where id = new.id;
      return null;
    end $$;
    create constraint trigger end_change after insert on changes
    deferrable initially deferred for each row execute function end_change();

    create function current_change(school integer) returns bigint language plpgsql as $$
    declare
      noted text := current_setting('flightline.change', true);
      number bigint;
    begin
      if split_part(noted, ':', 1) = coalesce(school::text, 'none') then return split_part(noted, ':', 2)::bigint; end if;
      insert into changes (school_id) values (school) returning id into number;
      perform set_config('flightline.change', coalesce(school::text, 'none') || ':' || number, true);
      return number;
    end $$`.execute(db);
}

async function markChanges(db: Kysely<any>): Promise<void> {
  await sql`
    create function mark_change() returns trigger language plpgsql as $$
    begin
      new.change_id := current_change(new.school_id);
      return new;
    end $$;
    create function mark_change_of_flight() returns trigger language plpgsql as $$
    declare
      part record := coalesce(new, old);
    begin
      if part.flight_log_id is not null then
        update flight_logs set change_id = current_change(school_id)
          where school_id = part.school_id and id = part.flight_log_id
            and change_id is distinct from current_change(school_id);
      end if;
      return null;
    end $$;
    create index flight_logs_changed on flight_logs (school_id, change_id)`.execute(db);

  for (const [table, changed] of Object.entries(CHANGED)) {
    await sql`
      create trigger mark_insert before insert on ${sql.table(table)} for each row execute function mark_change();
      create trigger mark_update before update on ${sql.table(table)}
      for each row when (${changed}) execute function mark_change()`.execute(db);
  }
  for (const table of ['fuel_records', 'flight_log_revisions', 'meter_segments']) {
    await sql`create trigger mark_flight after insert or update or delete on ${sql.table(table)}
      for each row execute function mark_change_of_flight()`.execute(db);
  }
}

/** Conditions under which an update changes what lists show. */
const CHANGED = {
  flight_logs: sql`old.reminded_at is not distinct from new.reminded_at`,
  aircraft: sql`true`,
  users: sql`(old.school_id, old.username, old.name, old.email, old.role, old.deleted_at)
    is distinct from (new.school_id, new.username, new.name, new.email, new.role, new.deleted_at)`,
  squawks: sql`true`,
};

async function noteRemovals(db: Kysely<any>): Promise<void> {
  await sql`
    create function note_removal() returns trigger language plpgsql as $$
    begin
      perform current_change(old.school_id);
      return null;
    end $$`.execute(db);
  for (const table of ['aircraft', 'users', 'squawks']) {
    await sql`create trigger note_removal after delete on ${sql.table(table)}
      for each row execute function note_removal()`.execute(db);
  }

  // Triggers note the removals, whoever deletes; nobody follows a school that is being removed.
  await sql`
    create table removed_flights (
      school_id integer not null references schools (id) on delete cascade,
      id integer not null,
      created_at timestamptz(3) not null,
      change_id bigint not null,
      primary key (school_id, id)
    );
    create index removed_flights_changed on removed_flights (school_id, change_id);

    create function note_removed_flights() returns trigger language plpgsql as $$
    begin
      insert into removed_flights (school_id, id, created_at, change_id)
        select school_id, id, created_at, current_change(school_id) from gone
        where not exists (select from removed_schools where removed_schools.school_id = gone.school_id);
      return null;
    end $$;
    create trigger note_removed_flights after delete on flight_logs referencing old table as gone
    for each statement execute function note_removed_flights()`.execute(db);
}
