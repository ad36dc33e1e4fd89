import { type NotNull, sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Role } from '#db/roles.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import type { Member } from '../actor.ts';
import { formatDate } from '../format.server.ts';
import { withoutNullName } from './queries.server.ts';
import type { Account } from './schema.server.ts';
import { usernameKey } from './username.ts';

interface KnownBy {
  email: string;
  /** Username, or name of the invited person; only the username is left once the address was removed. */
  name: string;
}

interface FormerUser {
  id: number;
  username: string;
  leftAt: Date;
}

/** Finds the deleted user of the school who had the address last. */
function findFormerUser(db: Db | Trx, schoolId: number, { email, name }: KnownBy): Promise<FormerUser | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'deleted_at as leftAt'])
    .where('school_id', '=', schoolId)
    .where('deleted_at', 'is not', null)
    .$narrowType<{ leftAt: NotNull }>()
    .where(({ and, eb, or }) =>
      or([
        eb(sql`lower(email)`, '=', sql`lower(${email})`),
        and([
          eb('email', '=', ''),
          or([eb('username_key', '=', usernameKey(name)), eb(sql`lower(name)`, '=', sql`lower(${name})`)]),
        ]),
      ]),
    )
    .orderBy(sql`email <> ''`, 'desc')
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Finds the former user. Throws 'invalid' at the tick if nobody of that address was here before. */
export async function requireFormerUser(trx: Trx, schoolId: number, knownBy: KnownBy): Promise<FormerUser> {
  const former = await findFormerUser(trx, schoolId, knownBy);
  if (!former) throw new AppError('invalid', texts.formerUserUnknown).onField('samePerson');
  return former;
}

interface Returning {
  username: string;
  name?: string;
  email: string;
  role: Role;
  passwordHash: string;
}

/** Makes a deleted user live again under the same id. Throws 'conflict' for a live one; fails by constraint. */
export async function reviveUser(
  trx: Trx,
  schoolId: number,
  id: number,
  { username, name, email, role, passwordHash }: Returning,
): Promise<Account> {
  const revived = await trx
    .updateTable('users')
    .set({ username, username_key: usernameKey(username), email, role, password_hash: passwordHash, deleted_at: null })
    .set({ password_generation: sql`password_generation + 1`, name: sql`coalesce(name, ${name ?? null}::text)` })
    .where('school_id', '=', schoolId)
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .returning(['id', 'username', 'name', 'email', 'role'])
    .executeTakeFirst();
  if (!revived) throw new AppError('conflict', texts.userBackAlready);
  return { ...withoutNullName(revived), flightSchoolId: schoolId };
}

/** Throws 'invalid' at the tick until the form has asked whether a former user comes back. */
export async function assertSamePersonAnswered(
  db: Db,
  { schoolId, timeZone }: Member,
  knownBy: KnownBy,
  askedAbout: string | undefined,
): Promise<void> {
  if (askedAbout !== undefined && askedAbout.toLowerCase() === knownBy.email.toLowerCase()) return;
  const former = await findFormerUser(db, schoolId, knownBy);
  if (!former) return;
  const left = formatDate(former.leftAt, timeZone).text;
  const text = `${former.username} was here until ${left}. Please say whether this is the same person, and send the form again.`;
  throw new AppError('invalid', text).onField('samePerson');
}
