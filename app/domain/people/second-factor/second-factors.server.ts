import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Db, Trx } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import { RECOVERY_CODE_BYTES, RECOVERY_CODES, SECOND_FACTOR_STEP_S } from '#app/limits.ts';
import { AppError } from '../../app-error.ts';
import { recordAccountEvent } from '../../audit/record-of-account.server.ts';
import { now } from '../../database-clock.server.ts';
import { hashLinkToken } from '../../link-tokens.server.ts';
import { texts } from '../../texts.ts';
import { lockUserForUpdate } from '../queries.server.ts';
import { openFactorKey } from './factor-keys.server.ts';
import { codeBudgets, countAttemptOrThrow, type SignInOrigin, takeBackLoginAttempt } from '../login-budgets.server.ts';

export type SecondFactorKind = 'app code' | 'recovery code';

export async function findSecondFactor(db: Db, userId: number) {
  const factor = await db
    .selectFrom('second_factors')
    .select('created_at as since')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (!factor) return undefined;
  const { unused } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<string>().as('unused'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { ...factor, unusedRecoveryCodes: Number(unused) };
}

/**
 * Uses up a code of the app or a recovery code, each good once; the user is told of a recovery code, and of too many
 * wrong ones. Throws 'unauthorized', or 'tooMany' past too many failures.
 */
export async function consumeCode(
  db: Db,
  userId: number,
  code: string,
  origin: SignInOrigin,
): Promise<SecondFactorKind> {
  const budgets = codeBudgets(userId, origin);
  await countAttemptOrThrow(db, budgets).catch((error: unknown) => tellOfGuesses(db, userId, error));
  const kind = await consumeEitherCode(db, userId, code);
  if (!kind) throw wrongCode('unauthorized');
  await takeBackLoginAttempt(db, budgets);
  return kind;
}

/** The time step that a code of the secret belongs to: that of now, the one before or the next. Throws 'invalid'. */
export function requireStep(secret: string, code: string): number {
  const step = findStep(secret, code);
  if (step === undefined) throw wrongCode('invalid');
  return step;
}

/** Makes ten codes of 120 random bits, as 'k7vq-x2mn-p4rt-w6yz-a3bc-d5ef'; only their hashes are stored. */
export function generateRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () => {
    const { base32 } = Secret.fromHex(randomBytes(RECOVERY_CODE_BYTES).toString('hex'));
    return (base32.toLowerCase().match(/.{4}/g) ?? []).join('-');
  });
  return { codes, hashes: codes.map(hashCode) };
}

export async function replaceCodes(trx: Trx, userId: number, hashes: string[]): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  const rows = hashes.map((code_hash) => ({ user_id: userId, code_hash }));
  await trx.insertInto('recovery_codes').values(rows).execute();
}

/** Deletes it; false if there was none. */
export async function deleteSecondFactor(trx: Trx, userId: number): Promise<boolean> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  const deleted = await trx
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst();
  return deleted !== undefined;
}

async function consumeEitherCode(db: Db, userId: number, code: string): Promise<SecondFactorKind | undefined> {
  if (await consumeAppCode(db, userId, code)) return 'app code';
  return (await consumeRecoveryCode(db, userId, code)) ? 'recovery code' : undefined;
}

async function consumeAppCode(db: Db, userId: number, code: string): Promise<boolean> {
  const factor = await db
    .selectFrom('second_factors')
    .select('secret')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (!factor || !/^\s*(\d\s*){6}$/.test(code)) return false;
  const key = openFactorKey(factor.secret);
  const step = key === undefined ? undefined : findStep(key, code);
  if (step === undefined) return false;
  const used = await db
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .returning('user_id')
    .executeTakeFirst();
  return used !== undefined;
}

function consumeRecoveryCode(db: Db, userId: number, code: string): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const used = await trx
      .updateTable('recovery_codes')
      .set({ used_at: now })
      .where('user_id', '=', userId)
      .where('code_hash', '=', hashCode(code))
      .where('used_at', 'is', null)
      .returning('user_id')
      .executeTakeFirst();
    if (used) await recordAccountEvent(trx, userId, { action: 'used recovery code' });
    return used !== undefined;
  });
}

/** Records, once an hour, that somebody guesses at the codes; throws what it was given. */
async function tellOfGuesses(db: Db, userId: number, error: unknown): Promise<never> {
  if (error instanceof AppError && error.code === 'tooMany')
    await inTransaction(db, async (trx) => {
      await lockUserForUpdate(trx, userId);
      await recordAccountEvent(trx, userId, { action: 'guessed codes', outcome: 'refused', isOncePerHour: true });
    });
  throw error;
}

function hashCode(code: string): string {
  return hashLinkToken(code.toLowerCase().replaceAll(/[^a-z2-7]/g, ''));
}

function findStep(secret: string, code: string): number | undefined {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: SECOND_FACTOR_STEP_S });
  const timestamp = Date.now();
  const delta = totp.validate({ token: code.replaceAll(/\s/g, ''), timestamp, window: 1 });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}

function wrongCode(kind: 'invalid' | 'unauthorized'): AppError {
  return new AppError(kind, texts.secondFactorWrong).onField('code');
}
