import { Transaction } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import { recordOfAccount } from '../audit/record-of-account.server.ts';
import { insertSession, isOnUsedDevice, type SessionOrigin, type VerifiedUser } from './sessions.server.ts';

interface Start extends SessionOrigin {
  /** The user has signed in in this browser before. */
  isKnownDevice: boolean;
}

/**
 * Starts a session under the keyed hash of its token, and tells the user if the device is new: neither the browser knows
 * the user, nor has a session of the last days the same kind of browser at the same address. Throws as `insertSession` does.
 */
export async function startUserSession(
  db: Db | Trx,
  id: string,
  user: VerifiedUser,
  { isKnownDevice, ...origin }: Start,
): Promise<void> {
  const start = async (trx: Trx) => {
    await insertSession(trx, id, user, origin);
    if (isKnownDevice || (await isOnUsedDevice(trx, id))) return;
    const after = { device: origin.device };
    await recordOfAccount(trx, user.userId, { action: 'signed in on a new device', after, byOwner: true });
  };
  await (db instanceof Transaction ? start(db) : inTransaction(db, start));
}
