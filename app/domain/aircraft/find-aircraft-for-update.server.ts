import type { Db, Trx } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { findAircraftRow, lockAircraft } from './queries.server.ts';

/**
 * The aircraft's row, held until the transaction ends and read once it is held.
 * Throws 'notFound' for one that is not in the school's fleet (C20).
 */
export async function findAircraftForUpdate(trx: Trx, actor: Member, id: number) {
  await lockAircraft(trx, actor.schoolId, id);
  return requireAircraft(trx, actor, id);
}

/** The same without holding it: what is said before the fields are looked at (C33). */
export async function requireAircraft(db: Db | Trx, actor: Member, id: number) {
  const row = await findAircraftRow(db, actor.schoolId, id);
  if (!row) throw new AppError('notFound', texts.aircraftNotFound);
  return row;
}
