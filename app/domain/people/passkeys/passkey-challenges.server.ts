import { randomBytes } from 'node:crypto';
import type { Db } from '#db/connect.server.ts';
import { PASSKEY_CHALLENGE_BYTES, PASSKEY_CHALLENGE_LIFE_S } from '#app/limits.ts';
import { AppError } from '../../app-error.ts';
import { fromNow, now } from '../../database-clock.server.ts';
import { passkeyTexts } from './passkey-texts.server.ts';

export function createChallenge(): string {
  return randomBytes(PASSKEY_CHALLENGE_BYTES).toString('base64url');
}

/** Uses up a challenge, which is good for one attempt, right or wrong, in any process. Throws 'unauthorized'. */
export async function consumeChallenge(db: Db, challenge: string): Promise<void> {
  const consumed = await db
    .insertInto('used_passkey_challenges')
    .values({ challenge, expires_at: fromNow(2 * PASSKEY_CHALLENGE_LIFE_S, 'seconds') })
    .onConflict((conflict) => conflict.doNothing())
    .returning('challenge')
    .executeTakeFirst();
  if (!consumed) throw new AppError('unauthorized', passkeyTexts.expired);
}

/** Deletes challenges whose cookies are too old by now, even if the clocks of server and database differ. */
export async function deleteUsedPasskeyChallenges(db: Db): Promise<void> {
  await db.deleteFrom('used_passkey_challenges').where('expires_at', '<', now).execute();
}
