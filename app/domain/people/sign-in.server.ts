import { Transaction } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { runHashingInTurn } from '../turns/queues.server.ts';
import type { Actor } from '../actor.ts';
import { type IdempotentRequest, isHandled } from '../idempotency.server.ts';
import { recordAccountEvent } from '../audit/record-of-account.server.ts';
import { countAttemptOrThrow, loginBudgets, type SignInOrigin, takeBackLoginAttempt } from './login-budgets.server.ts';
import type { SignInInput } from './schema.server.ts';
import { hashNow, isOutdatedHash, verifyPassword } from './passwords.server.ts';
import { findUserByUsername } from './queries.server.ts';
import { findSecondFactor } from './second-factor/second-factors.server.ts';
import {
  insertSession,
  isOnUsedDevice,
  needsPasskey,
  type SessionOrigin,
  type VerifiedUser,
} from './sessions.server.ts';

export interface SignInResult extends VerifiedUser {
  /** True if no session starts before a code of it is used. */
  hasSecondFactor: boolean;
  /** True if no session starts by the password. */
  mustUsePasskey: boolean;
}

/** Takes equally long for an unknown user. Throws 'unauthorized', 'tooMany' past the limit, or 'unavailable'. */
export function verifySignIn(db: Db, input: SignInInput, origin: SignInOrigin): Promise<SignInResult> {
  const { device, network } = origin;
  // Attempts wait before they count, because a flood of them would take all connections.
  return runHashingInTurn({ name: device ?? network, isKnown: device !== undefined }, () =>
    tryToSignIn(db, input, origin),
  );
}

async function tryToSignIn(db: Db, { username, password }: SignInInput, origin: SignInOrigin): Promise<SignInResult> {
  const budgets = loginBudgets(username, origin);
  await countAttemptOrThrow(db, budgets);
  const user = await findUserByUsername(db, username);
  const fits = await verifyPassword(password, user?.password_hash);
  if (!user?.password_hash || !fits) throw new AppError('unauthorized', texts.signInFailed);
  await takeBackLoginAttempt(db, budgets);
  if (isOutdatedHash(user.password_hash)) await renewHash(db, user.id, password, user.password_hash);
  const hasSecondFactor = (await findSecondFactor(db, user.id)) !== undefined;
  const mustUsePasskey = await mustSignInWithPasskey(db, user.id);
  return { userId: user.id, passwordGeneration: user.password_generation, hasSecondFactor, mustUsePasskey };
}

async function mustSignInWithPasskey(db: Db, userId: number): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where(needsPasskey)
    .executeTakeFirst();
  return found !== undefined;
}

/** Renews the hash, unless somebody has replaced the password meanwhile. */
async function renewHash(db: Db, userId: number, password: string, outdated: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: await hashNow(password) })
    .where('id', '=', userId)
    .where('password_hash', '=', outdated)
    .execute();
}

/** Verifies as a sign-in does; undefined if the request was handled. Throws 'invalid', 'tooMany' or 'unavailable'. */
export async function verifyOwnPassword(
  db: Db,
  { id, username }: Actor,
  password: string,
  origin: SignInOrigin,
  request: Pick<IdempotentRequest, 'key' | 'operation'>,
): Promise<VerifiedUser | undefined> {
  if (await isHandled(db, { ...request, scope: `user:${id}` })) return undefined;
  try {
    return await verifySignIn(db, { username, password }, origin);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unauthorized') throw error;
    throw new AppError('invalid', texts.currentPasswordWrong).onField('currentPassword');
  }
}

interface Start extends SessionOrigin {
  /** The user has signed in in this browser before. */
  isKnownDevice: boolean;
}

/**
 * Starts a session under the keyed hash of its token, and tells the user if the device is new: neither the browser knows
 * the user, nor has a session of the last days the same kind of browser at the same address. Throws as `insertSession` does.
 */
export async function startUserSession(
  db: Db | Trx,
  id: string,
  user: VerifiedUser,
  { isKnownDevice, ...origin }: Start,
): Promise<void> {
  const start = async (trx: Trx) => {
    await insertSession(trx, id, user, origin);
    if (isKnownDevice || (await isOnUsedDevice(trx, id))) return;
    const after = { device: origin.device };
    await recordAccountEvent(trx, user.userId, { action: 'signed in on a new device', after, byOwner: true });
  };
  await (db instanceof Transaction ? start(db) : inTransaction(db, start));
}
