import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { MANAGING_ROLES, type Role } from '#db/roles.ts';
import { PROOF_LIFE_MINUTES } from '#app/limits.ts';
import type { Row } from '#db/tables.ts';
import type { Actor } from '../actor.ts';
import { ago } from '../database-clock.server.ts';
import { AppError } from '../app-error.ts';
import { INSTRUCTING_ROLES } from '../permissions.ts';
import { texts } from '../texts.ts';
import type { Account, User } from './schema.server.ts';
import { isLiveToken } from './access-tokens/access-tokens.server.ts';
import { isLiveSession, type VerifiedUser } from './sessions.server.ts';
import { usernameKey } from './username.ts';

/** Finds a user across schools, because usernames are unique in the installation. */
export function findUserByUsername(db: Db | Trx, username: string): Promise<Row<'users'> | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('username_key', '=', usernameKey(username))
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Finds the user's own account, across schools. */
export async function findAccount(db: Db | Trx, userId: number): Promise<Account | undefined> {
  const account = await db
    .selectFrom('users')
    .select(['id', 'username', 'name', 'email', 'role', 'school_id as flightSchoolId'])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return account && withoutNullName(account);
}

/** Finds users of the school by username, of the given roles if any. */
export async function findUsers(db: Db | Trx, schoolId: number | null, roles: readonly Role[] = []): Promise<User[]> {
  const users = await usersQuery(db, schoolId)
    .$if(roles.length > 0, (query) => query.where('role', 'in', roles))
    .orderBy('username_key')
    .execute();
  return users.map(withoutNullName);
}

/** Finds the users who run the school, the longest there first. */
export function findAdministrators(db: Db | Trx, schoolId: number) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'email'])
    .where('school_id', '=', schoolId)
    .where('role', 'in', MANAGING_ROLES)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
}

/** Leaves a missing name out, because an answer says nothing of it. */
export function withoutNullName<Named extends { name: string | null }>({ name, ...user }: Named) {
  return { ...user, ...(name !== null && { name }) };
}

type NewUser = Omit<User, 'id' | 'name'> & { name?: string | null; passwordHash: string };

/** Inserts a user, and a trigger ends their invitations. It fails by constraint for a taken username or email. */
export async function insertUser(
  trx: Trx,
  schoolId: number,
  { username, name = null, email, role, passwordHash }: NewUser,
): Promise<Account> {
  const { id } = await trx
    .insertInto('users')
    .values({
      school_id: schoolId,
      username,
      username_key: usernameKey(username),
      name,
      email,
      role,
      password_hash: passwordHash,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return withoutNullName({ id, username, name, email, role, flightSchoolId: schoolId });
}

/** Finds a user. Throws 'notFound' outside the school. */
export async function requireUser(db: Db | Trx, schoolId: number, userId: number): Promise<User> {
  const user = await usersQuery(db, schoolId).where('id', '=', userId).executeTakeFirst();
  if (!user) throw new AppError('notFound', texts.userNotFound);
  return withoutNullName(user);
}

/** Locks the user's row. Throws 'notFound' outside the school. */
export async function requireUserForUpdate(trx: Trx, schoolId: number, userId: number): Promise<User> {
  const user = await usersQuery(trx, schoolId).where('id', '=', userId).forUpdate().executeTakeFirst();
  if (!user) throw new AppError('notFound', texts.userNotFound);
  return withoutNullName(user);
}

/** Selects the users of the school, without deleted ones. */
export function usersQuery(db: Db | Trx, schoolId: number | null) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'name', 'email', 'role'])
    .where('school_id', '=', schoolId)
    .where('deleted_at', 'is', null);
}

export async function isInstructor(db: Db | Trx, schoolId: number, userId: number): Promise<boolean> {
  const found = await usersQuery(db, schoolId)
    .where('id', '=', userId)
    .where('role', 'in', INSTRUCTING_ROLES)
    .executeTakeFirst();
  return found !== undefined;
}

/** Locks account and session or access token until the transaction ends; undefined if either is no longer in force. */
export function findActorForShare(trx: Trx, { id, sessionId, token }: Pick<Actor, 'id' | 'sessionId' | 'token'>) {
  const user = trx
    .selectFrom('users')
    .select(['username', 'email', 'role', 'school_id as schoolId'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhooks')
          .select('webhooks.id')
          .whereRef('webhooks.school_id', '=', 'users.school_id')
          .where('removed_at', 'is', null),
      ).as('hasWebhooks'),
    )
    .where('users.id', '=', id)
    .where('users.deleted_at', 'is', null)
    .forShare();
  if (token) {
    return user
      .innerJoin('access_tokens', 'access_tokens.user_id', 'users.id')
      .select(sql<boolean>`false`.as('isProved'))
      .where('access_tokens.id', '=', token.id)
      .where(isLiveToken)
      .executeTakeFirst();
  }
  if (sessionId === undefined) return user.select(sql<boolean>`true`.as('isProved')).executeTakeFirst();
  return user
    .innerJoin('sessions', 'sessions.user_id', 'users.id')
    .select(sql<boolean>`sessions.proved_at > ${ago(PROOF_LIFE_MINUTES, 'minutes')}`.as('isProved'))
    .where('sessions.id', '=', sessionId)
    .where(isLiveSession)
    .executeTakeFirst();
}

export async function lockUserForUpdate(trx: Trx, userId: number): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
}

export async function lockUserForShare(trx: Trx, userId: number): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forShare().execute();
}

/** Replaces the password; sign-ins with the former one that are under way fail from now on. */
export async function replacePassword(trx: Trx, userId: number, passwordHash: string): Promise<void> {
  await trx
    .updateTable('users')
    .set({ password_hash: passwordHash, password_generation: sql`password_generation + 1` })
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .execute();
}

/** Throws 'unauthorized' unless the password that was verified is still the user's. */
export async function assertSamePassword(trx: Trx, userId: number, verified: VerifiedUser | undefined): Promise<void> {
  const user = await trx.selectFrom('users').select('password_generation').where('id', '=', userId).executeTakeFirst();
  const isSame = verified?.userId === userId && verified.passwordGeneration === user?.password_generation;
  if (!isSame) throw new AppError('unauthorized', texts.unauthorized);
}
