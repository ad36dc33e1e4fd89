import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import {
  CODE_LOCKS_KEPT_MINUTES,
  CODE_LOCKS_MINUTES,
  CODE_WINDOW_MINUTES,
  LOGIN_WINDOW_MINUTES,
  MAX_LOGIN_FAILURES,
  MAX_LOGIN_FAILURES_OF_ADDRESS,
  MAX_LOGIN_FAILURES_OF_NAME,
  MAX_LOGIN_FAILURES_OF_SITE,
  MAX_LOGIN_FAILURES_IN_SITE_FLOOD,
  MAX_THROTTLED_USERNAME_CHARACTERS,
} from '#app/limits.ts';
import { AppError } from '../app-error.ts';
import { countInDatabase, prolongInDatabase } from '../limiter.server.ts';
import { texts, tooManyCodesText } from '../texts.ts';
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
  /** Minutes for which it refuses what comes past its failures: the first time, the second, and so on. */
  locks?: readonly [number, ...number[]];
}

/** Returns the budgets that count an attempt, the narrowest first. Strangers cannot use up that of a known device. */
export function loginBudgets(username: string, { network, device }: SignInOrigin): Budget[] {
  const name = throttledName(username);
  if (device !== undefined) return [{ key: `device:${device} ${name}`, failures: MAX_LOGIN_FAILURES }];
  const [ofAddress, ofSite] = networkLoginBudgets(network);
  return [
    { key: `pair:${name} ${network}`, failures: MAX_LOGIN_FAILURES },
    ofAddress,
    { key: `name:${name}`, failures: MAX_LOGIN_FAILURES_OF_NAME },
    ofSite,
  ];
}

/** These count attempts that name no user. A flood of invented names keeps nobody out; guesses at each name stay few. */
export function networkLoginBudgets(network: string): [ofAddress: Budget, ofSite: Budget] {
  return [
    { key: `address:${network}`, failures: MAX_LOGIN_FAILURES_OF_ADDRESS },
    { key: 'site:', failures: MAX_LOGIN_FAILURES_OF_SITE, spares: MAX_LOGIN_FAILURES_IN_SITE_FLOOD },
  ];
}

/**
 * Returns the budgets of codes, which lock for longer each time and a right password does not count anew. Strangers cannot
 * use up that of a known device.
 */
export function codeBudgets(userId: number, { network, device }: SignInOrigin): Budget[] {
  const budget = (key: string, failures: number): Budget => ({
    ...{ key: `code:${userId}${key}`, failures, minutes: CODE_WINDOW_MINUTES, locks: CODE_LOCKS_MINUTES },
  });
  if (device !== undefined) return [budget(` device ${device}`, MAX_LOGIN_FAILURES)];
  return [budget(` ${network}`, MAX_LOGIN_FAILURES), budget('', MAX_LOGIN_FAILURES_OF_NAME)];
}

export function throttledName(username: string): string {
  return usernameKey(username).slice(0, MAX_THROTTLED_USERNAME_CHARACTERS);
}

/** Counts before a password is checked, so that parallel guesses count. Throws 'tooMany'; wider budgets are spared then. */
export async function countAttemptOrThrow(db: Db, budgets: Budget[]): Promise<void> {
  let most = 0;
  for (const budget of budgets) {
    const { key, failures, minutes = LOGIN_WINDOW_MINUTES, spares = 0, locks } = budget;
    const { count, secondsLeft } = await countInDatabase(db, key, minutes);
    const isSpared = most > 0 && most <= spares;
    if (count > failures && !isSpared) {
      const seconds = locks && count === failures + 1 ? await lock(db, key, locks) : secondsLeft;
      throw new AppError('tooMany', locks ? tooManyCodesText(seconds) : texts.tooManyAttempts).retryAfter(seconds);
    }
    most = Math.max(most, count);
  }
}

async function lock(db: Db, key: string, locks: readonly [number, ...number[]]): Promise<number> {
  const { count } = await countInDatabase(db, locksOf(key), CODE_LOCKS_KEPT_MINUTES);
  const minutes = locks[Math.min(count, locks.length) - 1] ?? locks[0];
  await prolongInDatabase(db, key, minutes);
  return minutes * 60;
}

function locksOf(key: string): string {
  return `${key} locks`;
}

/** Clears the failures of this user here, and takes back the attempt where others count too. */
export async function takeBackLoginAttempt(db: Db, [own, ...shared]: Budget[]): Promise<void> {
  if (own)
    await db
      .deleteFrom('login_attempts')
      .where('key', 'in', [own.key, locksOf(own.key)])
      .execute();
  for (const { key } of shared) {
    const failures = sql<number>`greatest(failures - 1, 0)`;
    await db.updateTable('login_attempts').set({ failures }).where('key', '=', key).execute();
  }
}
