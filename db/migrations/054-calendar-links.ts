import { type Kysely, sql } from 'kysely';

/** Links to an aircraft's calendar, which are read without signing in (docs/decisions/158). */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table calendar_links (
      school_id integer not null,
      user_id integer not null,
      aircraft_id integer not null,
      link_hash text not null constraint calendar_links_hash_unique unique,
      made_at timestamptz not null default now(),
      primary key (user_id, aircraft_id),
      foreign key (school_id, user_id) references users (school_id, id),
      foreign key (school_id, aircraft_id) references aircraft (school_id, id)
    )`.execute(db);
  await sql`create index calendar_links_of_aircraft on calendar_links (school_id, aircraft_id)`.execute(db);
  await sql`alter table inspections add column changed_at timestamptz not null default now()`.execute(db);
  await sql`
    create or replace view doctor_remains_of_the_deleted as
    select school_id, 'user ' || id as subject, 'is deleted, but has ' || what as detail
    from users cross join lateral (
      select 'a password' as what where password_hash is not null
      union all select 'a second factor' where exists (select from second_factors where user_id = users.id)
      union all select 'recovery codes' where exists (select from recovery_codes where user_id = users.id)
      union all select 'passkeys' where exists (select from passkeys where user_id = users.id)
      union all select 'access tokens' where exists (select from access_tokens where user_id = users.id)
      union all select 'calendar links' where exists (select from calendar_links where user_id = users.id)
      union all select 'a password link' where exists (select from password_links where user_id = users.id)
      union all select 'drafts' where exists (select from drafts where user_id = users.id)
    ) as remains
    where deleted_at is not null`.execute(db);
}
