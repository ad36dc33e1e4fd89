import type { Db, Trx } from '#db/connect.server.ts';
import type { Role } from '#db/roles.ts';
import type { Row } from '#db/tables.ts';
import { AppError } from '../app-error.ts';
import { INSTRUCTING_ROLES } from '../permissions.ts';
import { texts } from '../texts.ts';
import type { Account, User } from './schema.server.ts';
import { usernameKey } from './username.ts';

/** The live user with this username, in whichever school: sign-in knows no school (C16). */
export function findUserByUsername(db: Db | Trx, username: string): Promise<Row<'users'> | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('username_key', '=', usernameKey(username))
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** The live user with this id, in whichever school: only for the user's own eyes. */
export function findAccount(db: Db | Trx, userId: number): Promise<Account | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'role', 'school_id as flightSchoolId'])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Live users of the school by username; only of the given roles, if any are given. */
export function findUsers(db: Db | Trx, schoolId: number | null, roles: readonly Role[] = []): Promise<User[]> {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'role'])
    .where('school_id', '=', schoolId)
    .where('deleted_at', 'is', null)
    .$if(roles.length > 0, (query) => query.where('role', 'in', roles))
    .orderBy('username_key')
    .execute();
}

/** Adds a live user. Throws by constraint for a username that is taken anywhere, or an email taken in the school (C16, C17). */
export async function insertUser(
  trx: Trx,
  schoolId: number,
  { username, email, role, passwordHash }: Omit<User, 'id'> & { passwordHash: string },
): Promise<Account> {
  const { id } = await trx
    .insertInto('users')
    .values({
      school_id: schoolId,
      username,
      username_key: usernameKey(username),
      email,
      role,
      password_hash: passwordHash,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, username, email, role, flightSchoolId: schoolId };
}

/** Holds a live user's row for a change until the transaction ends. Throws 'notFound' outside the school. */
export async function findUserForUpdate(trx: Trx, schoolId: number, userId: number): Promise<User> {
  const user = await trx
    .selectFrom('users')
    .select(['id', 'username', 'email', 'role'])
    .where('school_id', '=', schoolId)
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (!user) throw new AppError('notFound', texts.userNotFound);
  return user;
}

/** Whether this is a live user of the school who may instruct. */
export async function isInstructor(db: Db | Trx, schoolId: number, userId: number): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('school_id', '=', schoolId)
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .where('role', 'in', INSTRUCTING_ROLES)
    .executeTakeFirst();
  return found !== undefined;
}

/** A live user's account as it is now, unchanged by others until the transaction ends. */
export function lockLiveUser(trx: Trx, userId: number) {
  return trx
    .selectFrom('users')
    .select(['username', 'email', 'role', 'school_id as schoolId'])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst();
}

/** Lets one transaction at a time change the user's row. */
export async function lockUserForUpdate(trx: Trx, userId: number): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
}
