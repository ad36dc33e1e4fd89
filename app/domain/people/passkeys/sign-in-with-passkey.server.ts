import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import { AppError } from '../../app-error.ts';
import { now } from '../../database-clock.server.ts';
import {
  countAttempts,
  loginBudgets,
  type SignInOrigin,
  networkLoginBudgets,
  takeBackLoginAttempt,
} from '../login-budgets.server.ts';
import { lockUserForShare } from '../queries.server.ts';
import type { VerifiedUser } from '../sessions.server.ts';
import { consumeChallenge, verifyAssertion } from './verify-passkey.server.ts';
import type { KnownPasskey } from './passkeys.server.ts';
import { type Assertion, passkeyTexts } from './schema.server.ts';

interface PasskeyAttempt {
  passkey: KnownPasskey | undefined;
  response: Assertion;
  challenge: string;
  origin: SignInOrigin;
}

/** Calls `start` in a transaction that keeps the passkey in force. Throws 'unauthorized' or 'tooMany'. */
export async function signInWithPasskey<Result>(
  db: Db,
  { passkey, response, challenge, origin }: PasskeyAttempt,
  start: (trx: Trx, user: VerifiedUser) => Promise<Result>,
): Promise<Result> {
  const budgets = passkey ? loginBudgets(passkey.username, origin) : networkLoginBudgets(origin.network);
  await countAttempts(db, budgets);
  await consumeChallenge(db, challenge);
  if (!passkey) throw new AppError('unauthorized', passkeyTexts.refused);
  const use = await verifyAssertion(response, passkey, challenge);
  const result = await inTransaction(db, async (trx) => {
    // The user is locked before the passkey's row, as in removing the passkey or the user.
    await lockUserForShare(trx, passkey.userId);
    await noteUse(trx, passkey, use);
    return start(trx, passkey);
  });
  await takeBackLoginAttempt(db, budgets);
  return result;
}

/** Notes the count. Throws 'unauthorized' for one that a copy has used, or if the passkey was removed meanwhile. */
async function noteUse(trx: Trx, { id }: KnownPasskey, use: { counter: number; backedUp: boolean }): Promise<void> {
  const { counter, backedUp } = use;
  const used = await trx
    .updateTable('passkeys')
    .set({ counter, backed_up: backedUp, last_used_at: now })
    .where('id', '=', id)
    .where(sql<boolean>`(counter < ${counter}::bigint or (counter = 0 and ${counter}::bigint = 0))`)
    .returning('id')
    .executeTakeFirst();
  if (!used) throw new AppError('unauthorized', passkeyTexts.refused);
}
