import { MANAGING_ROLES } from '../../roles.ts';
import type { Rule } from './rule.ts';

const MANAGING = MANAGING_ROLES.map((role) => `'${role}'`).join();
const DELETED = 'select id from users where deleted_at is not null';

const REMAINS = [
  'second_factors',
  'recovery_codes',
  'passkeys',
  'access_tokens',
  'calendar_links',
  'password_links',
  'drafts',
];

export const PEOPLE_RULES: Record<string, Rule> = {
  people_twice: {
    fault: 'Two users have one username, or one email in a school',
    mend: 'delete the one that is not used at /users.',
    query: `
      select min(school_id) as school_id, 'users ' || string_agg(id::text, ', ' order by id) as subject,
        'all have the username ' || username_key as detail
      from users where deleted_at is null group by username_key having count(*) > 1
      union all
      select school_id, 'users ' || string_agg(id::text, ', ' order by id), 'all have the email ' || lower(email)
      from users where deleted_at is null and school_id is not null group by school_id, lower(email) having count(*) > 1`,
  },
  passwords_that_fit_nothing: {
    fault: 'A user has a password that nothing fits',
    mend: '`npm run flightline -- user:password NAME` sets another.',
    query: `
      select school_id, 'user ' || id as subject, 'what is stored of the password is no hash, so nobody can sign in' as detail
      from users where deleted_at is null and password_hash !~ '^[$]argon2id[$]v=19[$]m='`,
  },
  schools_without_administrator: {
    fault: 'A school has no administrator',
    mend: 'set role to administrator for one of its users, then `npm run flightline -- user:password NAME`.',
    query: `
      select id as school_id, 'school ' || id as subject, 'none of its users is an administrator' as detail
      from schools
      where exists (select from users where users.school_id = schools.id and deleted_at is null)
        and not exists (
          select from users where users.school_id = schools.id and deleted_at is null and role in (${MANAGING}))`,
  },
  sessions_of_the_deleted: {
    fault: 'A deleted user is signed in',
    mend: '`npm run flightline -- doctor --mend` ends the session; read /activity for what was done with it.',
    repairs: [`update sessions set revoked_at = now() where revoked_at is null and user_id in (${DELETED})`],
    query: `
      select users.school_id, 'session ' || number as subject, 'is in force for user ' || users.id || ', who is deleted' as detail
      from sessions join users on users.id = user_id
      where users.deleted_at is not null and revoked_at is null and expires_at > now()`,
  },
  remains_of_the_deleted: {
    fault: 'A deleted user still has what was to be removed',
    mend: '`npm run flightline -- doctor --mend` removes it.',
    repairs: [
      'update users set password_hash = null where deleted_at is not null',
      ...REMAINS.map((table) => `delete from ${table} where user_id in (${DELETED})`),
    ],
    query: `
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
      where deleted_at is not null`,
  },
  sessions_past_their_end: {
    fault: 'A session lasts longer than a session may',
    mend: '`npm run flightline -- doctor --mend` ends it, and its user signs in again.',
    repairs: ['update sessions set revoked_at = now() where revoked_at is null and expires_at > ends_at'],
    query: `
      select school_id, 'session ' || number as subject, 'expires ' || expires_at || ', after its end ' || ends_at as detail
      from sessions join users on users.id = user_id where expires_at > ends_at and revoked_at is null`,
  },
  invitations_of_members: {
    fault: 'Somebody is invited who is a member already',
    mend: 'delete the invitation at /users/invitations.',
    query: `
      select invitations.school_id, 'invitation ' || invitations.id as subject,
        'is pending for the address of user ' || users.id || ', who is a member already' as detail
      from invitations join users on users.school_id = invitations.school_id
        and (lower(users.email) = lower(invitations.email) and invitations.email <> '' or users.id = former_user_id)
      where accepted_at is null and users.deleted_at is null`,
  },
  invitations_twice: {
    fault: 'Two invitations are pending for one address',
    mend: 'delete the older one at /users/invitations.',
    query: `
      select school_id, 'invitations ' || string_agg(id::text, ', ' order by id) as subject,
        'are all pending for ' || lower(email) as detail
      from invitations where accepted_at is null and email <> '' group by school_id, lower(email) having count(*) > 1`,
  },
  invitations_half_accepted: {
    fault: 'An invitation is half accepted',
    mend: 'set accepted_by and accepted_at both to null, or both to what /activity says.',
    query: `
      select school_id, 'invitation ' || id as subject,
        case when accepted_by is null then 'was accepted by nobody' else 'was accepted by user ' || accepted_by || ' at no time' end
          as detail
      from invitations where (accepted_at is null) <> (accepted_by is null)`,
  },
};
