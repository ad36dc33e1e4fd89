import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { Secret } from 'otpauth';
import type { Db, Trx } from '#db/connect.server.ts';
import { SECOND_FACTOR_SECRET_BYTES } from '#app/limits.ts';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { texts } from '../../texts.ts';
import { isLiveSession } from '../sessions.server.ts';

/** Finds the secret, which stays until it is used: a wrong code leaves the app's entry good. Throws 'unauthorized'. */
export async function findOrCreateSetupSecret(db: Db, { id, sessionId }: Actor): Promise<string> {
  const fresh = Secret.fromHex(randomBytes(SECOND_FACTOR_SECRET_BYTES).toString('hex')).base32;
  const session = await db
    .updateTable('sessions')
    .set({ second_factor_setup: sql<string>`coalesce(second_factor_setup, ${fresh})` })
    .where('id', '=', sessionId ?? '')
    .where('user_id', '=', id)
    .where(isLiveSession)
    .returning('second_factor_setup')
    .executeTakeFirst();
  if (!session?.second_factor_setup) throw new AppError('unauthorized', texts.unauthorized);
  return session.second_factor_setup;
}

export async function deleteSetupSecrets(trx: Trx, userId: number): Promise<void> {
  await trx
    .updateTable('sessions')
    .set({ second_factor_setup: null })
    .where('user_id', '=', userId)
    .where('second_factor_setup', 'is not', null)
    .execute();
}
