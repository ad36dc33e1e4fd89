import type { Db } from '#db/connect.server.ts';
import { secretBox } from '../../sealed-secrets.server.ts';

const box = secretBox('keys of second factors');

/** Encrypts the key that a user's app shares, which a copy of the database then does not tell. */
export const sealFactorKey = box.seal;

/** Undefined where it was sealed with a secret that the installation no longer has. */
export function openFactorKey(stored: string): string | undefined {
  return isPlain(stored) ? stored : box.open(stored)?.secret;
}

/** Seals with the newest secret what an earlier one did, or an earlier release stored as it is. */
export async function resealFactorKeys(db: Db): Promise<void> {
  const factors = await db.selectFrom('second_factors').select(['user_id', 'secret']).execute();
  for (const { user_id, secret } of factors) {
    const opened = isPlain(secret) ? { secret, isNewest: false } : box.open(secret);
    if (!opened || opened.isNewest) continue;
    await db
      .updateTable('second_factors')
      .set({ secret: box.seal(opened.secret) })
      .where('user_id', '=', user_id)
      .where('secret', '=', secret)
      .execute();
  }
}

/** An earlier release stored keys in base32; sealed ones are longer. */
function isPlain(stored: string): boolean {
  return /^[A-Z2-7]{16,40}$/.test(stored);
}
