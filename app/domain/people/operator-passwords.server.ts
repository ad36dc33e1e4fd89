import type { Db, Trx } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';
import { inTransaction } from '#db/transaction.ts';
import { env } from '#app/env.server.ts';
import { PASSWORD_LINK_LIFE_MS } from '#app/limits.ts';
import { serverOnlyPaths } from '#app/paths.ts';
import { AppError } from '../app-error.ts';
import { alertAdministrators } from '../audit/alerts.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { createLinkToken } from '../link-tokens.server.ts';
import { requireSchoolName } from '../school/queries.server.ts';
import { texts } from '../texts.ts';
import { deletePasswordLink, storePasswordLink } from './password-links.server.ts';
import { assertHardToGuess } from './password-rules.server.ts';
import { hashPassword } from './passwords.server.ts';
import { findUserByUsername, lockUserForUpdate, replacePassword } from './queries.server.ts';
import { passwordInputSchema } from './schema.server.ts';
import { deleteSecondFactor } from './second-factor/second-factors.server.ts';
import { revokeUserSessions } from './sessions.server.ts';
import { throttledName } from './login-budgets.server.ts';

// The operator may do this for a user who is locked out; the activity names nobody of the school for it.

/** Sets a password, ends all sessions of the user and forgets failed sign-ins. Throws 'notFound' and 'invalid'. */
export async function setPasswordOf(db: Db, username: string, password: string): Promise<Row<'users'>> {
  const user = await requireUserNamed(db, username);
  const { error } = passwordInputSchema.safeParse(password);
  if (error) throw new AppError('invalid', error.issues[0]?.message ?? error.message).onField('password');
  await assertHardToGuess(password, { ...user, school: await schoolNameOf(db, user) });
  const passwordHash = await hashPassword(password);
  await changeUser(db, user, async (trx) => {
    await replacePassword(trx, user.id, passwordHash);
    await revokeUserSessions(trx, user.id);
    await deleteLoginAttemptsOf(trx, user);
    if (user.school_id !== null) await deletePasswordLink(trx, user.school_id, user.id);
    await record(trx, user, 'set password on the command line');
  });
  return user;
}

/** Makes a link in place of any earlier one. Throws 'notFound', 'conflict' for a user without school. */
export async function makePasswordLinkFor(db: Db, username: string): Promise<{ url: string; expires: Date }> {
  const user = await requireUserNamed(db, username);
  const schoolId = user.school_id;
  if (schoolId === null) throw new AppError('conflict', texts.noSchool);
  const { token, hash } = createLinkToken();
  const expires = new Date(Date.now() + PASSWORD_LINK_LIFE_MS);
  await changeUser(db, user, async (trx) => {
    await storePasswordLink(trx, { schoolId, userId: user.id, hash, mailId: null, madeBy: null, expires });
    await deleteLoginAttemptsOf(trx, user);
    await record(trx, user, 'made password link on the command line');
  });
  return { url: env.APP_URL + serverOnlyPaths.resetPassword(token), expires };
}

/** Removes it also from the last administrator, who cannot ask another. Returns false if there was none. */
export async function removeSecondFactorOf(db: Db, username: string): Promise<boolean> {
  const user = await requireUserNamed(db, username);
  let removed = false;
  await changeUser(db, user, async (trx) => {
    removed = await deleteSecondFactor(trx, user.id);
    if (!removed) return;
    await revokeUserSessions(trx, user.id);
    await record(trx, user, 'removed second factor');
    if (user.school_id !== null)
      await alertAdministrators(trx, user.school_id, { about: 'second factor removed', userId: user.id });
  });
  return removed;
}

/** Finds a user by name. Throws 'notFound'. */
export async function requireUserNamed(db: Db, username: string): Promise<Row<'users'>> {
  const user = await findUserByUsername(db, username);
  if (!user) throw new AppError('notFound', texts.userNotFound);
  return user;
}

async function schoolNameOf(db: Db, { school_id }: Row<'users'>): Promise<string | undefined> {
  return school_id === null ? undefined : await requireSchoolName(db, school_id);
}

function changeUser(db: Db, user: Row<'users'>, work: (trx: Trx) => Promise<void>): Promise<void> {
  return inTransaction(db, async (trx) => {
    await lockUserForUpdate(trx, user.id);
    await work(trx);
  });
}

function record(
  trx: Trx,
  { id, school_id }: Row<'users'>,
  action: 'set password on the command line' | 'made password link on the command line' | 'removed second factor',
): Promise<void> {
  return writeAuditEntry(trx, { id: null, schoolId: school_id }, { action, subject: 'user', subjectId: id });
}

/** Forgets the failed sign-ins of one user, so that the next try is not refused. */
export async function deleteLoginAttemptsOf(
  trx: Trx,
  { id, username }: { id: number; username: string },
): Promise<void> {
  const name = throttledName(username);
  await trx
    .deleteFrom('login_attempts')
    .where((eb) =>
      eb.or([
        eb('key', 'in', [`name:${name}`, `code:${id}`]),
        eb(eb.fn<boolean>('starts_with', ['key', eb.val(`code:${id} `)]), '=', true),
        eb(eb.fn<boolean>('starts_with', ['key', eb.val(`pair:${name} `)]), '=', true),
        eb.and([
          eb(eb.fn<boolean>('starts_with', ['key', eb.val('device:')]), '=', true),
          eb(eb.fn<string>('right', ['key', eb.val(name.length + 1)]), '=', ` ${name}`),
        ]),
      ]),
    )
    .execute();
}
