import type { Db } from '#db/connect.server.ts';
import { resealEach, secretBox } from '../../sealed-secrets.server.ts';

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
