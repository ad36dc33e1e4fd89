import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { LOGIN_WINDOW_MINUTES, MAX_LOGIN_FAILURES } from '#app/limits.ts';
import { fromNow, now } from '../database-clock.server.ts';

/** Counts an attempt and returns whether it is allowed; counts first, so that parallel guesses count. */
export async function countLoginAttempt(db: Db, key: string): Promise<boolean> {
  const { failures } = await db
    .insertInto('login_attempts')
    .values({ key, failures: 1, expires_at: fromNow(LOGIN_WINDOW_MINUTES, 'minutes') })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        failures: sql`case when login_attempts.expires_at < now() then 1 else login_attempts.failures + 1 end`,
        expires_at: sql`case when login_attempts.expires_at < now() then excluded.expires_at else login_attempts.expires_at end`,
      }),
    )
    .returning('failures')
    .executeTakeFirstOrThrow();
  return failures <= MAX_LOGIN_FAILURES;
}

export async function clearLoginAttempts(db: Db, key: string): Promise<void> {
  await db.deleteFrom('login_attempts').where('key', '=', key).execute();
}

export async function deleteExpiredLoginAttempts(db: Db): Promise<void> {
  await db.deleteFrom('login_attempts').where('expires_at', '<', now).execute();
}
