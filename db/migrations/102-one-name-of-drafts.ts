import { type Kysely, sql } from 'kysely';

/**
 * Drafts of all kinds are named as their form is, by its page's path, '#' and its id; one that was posted says what it waits for
 * (docs/decisions/205).
 */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table drafts
      add column waits_for text constraint drafts_wait_for_a_sign_in_or_a_password
        check (waits_for in ('sign-in', 'password')),
      add column posted_to text,
      add constraint drafts_that_wait_were_posted check ((waits_for is null) = (posted_to is null))`.execute(db);
  await sql`update drafts set form = '/flight-log#read-meters' where form = 'check-out'`.execute(db);
  await sql`
    update drafts set form = '/flight-log/' || substr(form, length('check-in:') + 1) || '/post-check#check-in'
    where form like 'check-in:%'`.execute(db);
  await sql`update drafts set form = substr(form, length('typed:') + 1) where form like 'typed:%'`.execute(db);
  await sql`
    update drafts set waits_for = 'sign-in', posted_to = substr(form, length('unsent:') + 1),
      form = substr(form, length('unsent:') + 1) || '#'
    where form like 'unsent:%'`.execute(db);
  await sql`
    update drafts set waits_for = 'password', posted_to = substr(form, length('proof:') + 1),
      form = substr(form, length('proof:') + 1) || '#waiting'
    where form like 'proof:%'`.execute(db);
}
