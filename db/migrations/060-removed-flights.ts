import { type Kysely, sql } from 'kysely';

/** Flights that are gone, for those who follow a school's changes (docs/decisions/172). */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table removed_flights (
      school_id integer not null references schools (id) on delete cascade,
      id integer not null,
      created_at timestamptz(3) not null,
      change_id bigint not null,
      primary key (school_id, id)
    )`.execute(db);
  await sql`create index removed_flights_changed on removed_flights (school_id, change_id)`.execute(db);

  // In the schema, whoever deletes them; but nobody follows a school that is being removed.
  await sql`
    create function note_removed_flights() returns trigger language plpgsql as $$
    begin
      insert into removed_flights (school_id, id, created_at, change_id)
        select school_id, id, created_at, current_change(school_id) from gone
        where not exists (select from removed_schools where removed_schools.school_id = gone.school_id);
      return null;
    end $$`.execute(db);
  await sql`create trigger note_removed_flights after delete on flight_logs referencing old table as gone
    for each statement execute function note_removed_flights()`.execute(db);
  await sql`drop trigger note_removal on flight_logs`.execute(db);
}
