import { type Kysely, sql } from 'kysely';

/** Passkeys, too, are to be gone with their user. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create or replace view doctor_remains_of_the_deleted as
    select school_id, 'user ' || id as subject, 'is deleted, but has ' || what as detail
    from users cross join lateral (
      select 'a password' as what where password_hash is not null
      union all select 'a second factor' where exists (select from second_factors where user_id = users.id)
      union all select 'recovery codes' where exists (select from recovery_codes where user_id = users.id)
      union all select 'passkeys' where exists (select from passkeys where user_id = users.id)
      union all select 'a password link' where exists (select from password_links where user_id = users.id)
      union all select 'drafts' where exists (select from drafts where user_id = users.id)
    ) as remains
    where deleted_at is not null`.execute(db);
}
