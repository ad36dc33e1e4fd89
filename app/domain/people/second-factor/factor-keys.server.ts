import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { Secret } from 'otpauth';
import type { Db, Trx } from '#db/connect.server.ts';
import { PROOF_LIFE_MINUTES, SECOND_FACTOR_SECRET_BYTES } from '#app/limits.ts';
import { resealEach, secretBox } from '../../sealed-secrets.server.ts';
import type { Actor } from '../../actor.ts';
import { ago } from '../../database-clock.server.ts';
import { isLiveSession } from '../sessions.server.ts';

const box = secretBox('keys of second factors');

/** Encrypts the key that a user's app shares, which a copy of the database then does not tell. */
export const sealFactorKey = box.seal;

/** Undefined where it was sealed with a secret that the installation no longer has. */
export function openFactorKey(stored: string): string | undefined {
  return open(stored)?.secret;
}

/** Seals with the newest secret what an earlier one did, or an earlier release stored as it is. */
export async function resealFactorKeys(db: Db): Promise<void> {
  const factors = await db.selectFrom('second_factors').select(['user_id', 'secret']).execute();
  await resealEach(factors, open, ({ user_id, secret }, key) =>
    db
      .updateTable('second_factors')
      .set({ secret: sealFactorKey(key) })
      .where('user_id', '=', user_id)
      .where('secret', '=', secret)
      .execute(),
  );
}

function open(stored: string): ReturnType<typeof box.open> {
  return isPlain(stored) ? { secret: stored, isNewest: false } : box.open(stored);
}

/** An earlier release stored keys in base32; sealed ones are longer. */
function isPlain(stored: string): boolean {
  return /^[A-Z2-7]{16,40}$/.test(stored);
}

/**
 * The key that the user's app is to have: for 15 minutes after the password was entered, new each time it is entered, and
 * the same after a wrong code. Undefined later, until the password is entered again.
 */
export async function findOrCreateSetupSecret(db: Db, { id, sessionId }: Actor): Promise<string | undefined> {
  const fresh = sealFactorKey(Secret.fromHex(randomBytes(SECOND_FACTOR_SECRET_BYTES).toString('hex')).base32);
  const session = await db
    .updateTable('sessions')
    .set({ second_factor_setup: sql<string>`coalesce(second_factor_setup, ${fresh})` })
    .where('id', '=', sessionId ?? '')
    .where('user_id', '=', id)
    .where('proved_at', '>', ago(PROOF_LIFE_MINUTES, 'minutes'))
    .where(isLiveSession)
    .returning('second_factor_setup')
    .executeTakeFirst();
  return session?.second_factor_setup ? openFactorKey(session.second_factor_setup) : undefined;
}

export async function deleteSetupSecrets(trx: Trx, userId: number): Promise<void> {
  await trx
    .updateTable('sessions')
    .set({ second_factor_setup: null })
    .where('user_id', '=', userId)
    .where('second_factor_setup', 'is not', null)
    .execute();
}
