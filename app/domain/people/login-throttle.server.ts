import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import {
  LOGIN_WINDOW_MINUTES,
  MAX_LOGIN_FAILURES,
  MAX_LOGIN_FAILURES_OF_ADDRESS,
  MAX_LOGIN_FAILURES_OF_NAME,
  MAX_LOGIN_FAILURES_OF_SITE,
  MAX_LOGIN_FAILURES_IN_SITE_FLOOD,
  MAX_THROTTLED_USERNAME_CHARACTERS,
} from '#app/limits.ts';
import { AppError } from '../app-error.ts';
import { fromNow, now } from '../database-clock.server.ts';
import { texts } from '../texts.ts';
import { usernameKey } from './username.ts';

export interface SignInOrigin {
  /** An address, or the network of one. */
  network: string;
  /** The id of a device on which this user has signed in before, if it is one. */
  device?: string | undefined;
}

export interface Budget {
  key: string;
  failures: number;
  minutes?: number;
  /** Failures that a narrower budget may have for its attempts to go on past this one. */
  spares?: number;
}

/** Returns the budgets that count an attempt, the narrowest first. Strangers cannot use up that of a known device. */
export function loginBudgets(username: string, { network, device }: SignInOrigin): Budget[] {
  const name = throttledName(username);
  if (device !== undefined) return [{ key: `device:${device} ${name}`, failures: MAX_LOGIN_FAILURES }];
  return [
    { key: `pair:${name} ${network}`, failures: MAX_LOGIN_FAILURES },
    addressBudget(network),
    { key: `name:${name}`, failures: MAX_LOGIN_FAILURES_OF_NAME },
    SITE_BUDGET,
  ];
}

/** Returns the budgets of an attempt that names no user. */
export function networkLoginBudgets({ network }: SignInOrigin): Budget[] {
  return [addressBudget(network), SITE_BUDGET];
}

// The rule keeps nobody out in a flood of invented names from many addresses, and guesses at each name stay few.
const SITE_BUDGET: Budget = {
  key: 'site:',
  failures: MAX_LOGIN_FAILURES_OF_SITE,
  spares: MAX_LOGIN_FAILURES_IN_SITE_FLOOD,
};

function addressBudget(network: string): Budget {
  return { key: `address:${network}`, failures: MAX_LOGIN_FAILURES_OF_ADDRESS };
}

/** Returns the budget of a sign-in's second step, which a right password does not count anew. */
export function codeBudgets(userId: number): Budget[] {
  return [{ key: `code:${userId}`, failures: MAX_LOGIN_FAILURES }];
}

export function throttledName(username: string): string {
  return usernameKey(username).slice(0, MAX_THROTTLED_USERNAME_CHARACTERS);
}

/** Counts before a password is checked, so that parallel guesses count. Throws 'tooMany'; wider budgets are spared then. */
export async function countAttempts(db: Db, budgets: Budget[]): Promise<void> {
  let most = 0;
  for (const { key, failures, minutes = LOGIN_WINDOW_MINUTES, spares = 0 } of budgets) {
    const counted = await countAttempt(db, key, minutes);
    const isSpared = most > 0 && most <= spares;
    if (counted.failures > failures && !isSpared) {
      throw new AppError('tooMany', texts.tooManyAttempts).retryAfter(counted.seconds);
    }
    most = Math.max(most, counted.failures);
  }
}

/** Clears the failures of this user here, and takes back the attempt where others count too. */
export async function takeBackLoginAttempt(db: Db, [own, ...shared]: Budget[]): Promise<void> {
  if (own) await db.deleteFrom('login_attempts').where('key', '=', own.key).execute();
  for (const { key } of shared) {
    await db
      .updateTable('login_attempts')
      .set({ failures: sql`greatest(failures - 1, 0)` })
      .where('key', '=', key)
      .execute();
  }
}

export async function deleteExpiredLoginAttempts(db: Db): Promise<void> {
  await db.deleteFrom('login_attempts').where('expires_at', '<', now).execute();
}

/** Counts one more of a key within its window, in the database and so for all processes. */
export function countAttempt(db: Db, key: string, minutes: number): Promise<{ failures: number; seconds: number }> {
  return db
    .insertInto('login_attempts')
    .values({ key, failures: 1, expires_at: fromNow(minutes, 'minutes') })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        failures: sql`case when login_attempts.expires_at < now() then 1 else login_attempts.failures + 1 end`,
        expires_at: sql`case when login_attempts.expires_at < now() then excluded.expires_at else login_attempts.expires_at end`,
      }),
    )
    .returning(['failures', sql<number>`ceil(extract(epoch from expires_at - now()))::integer`.as('seconds')])
    .executeTakeFirstOrThrow();
}
