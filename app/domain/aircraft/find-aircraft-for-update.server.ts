import type { Db, Trx } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { findAircraftRow, lockAircraft } from './queries.server.ts';

/** Locks the aircraft's row before reading it. Throws 'notFound' outside the school's fleet. */
export async function findAircraftForUpdate(trx: Trx, actor: Member, id: number) {
  await lockAircraft(trx, actor.schoolId, id);
  return requireAircraft(trx, actor, id);
}

/** Finds an aircraft. Throws 'notFound' outside the school's fleet. */
export async function requireAircraft(db: Db | Trx, actor: Member, id: number) {
  const row = await findAircraftRow(db, actor.schoolId, id);
  if (!row) throw new AppError('notFound', texts.aircraftNotFound);
  return row;
}
