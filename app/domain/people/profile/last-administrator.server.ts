import type { Trx } from '#db/connect.server.ts';
import { AppError } from '../../app-error.ts';
import { texts } from '../../texts.ts';
import { findAdministrators } from '../queries.server.ts';

/** Throws 'conflict' for the only administrator; the caller has locked the school, so that two cannot go at once. */
export async function assertNotLastAdministrator(trx: Trx, schoolId: number, id: number): Promise<void> {
  const administrators = await findAdministrators(trx, schoolId);
  if (administrators.length === 1 && administrators[0]?.id === id)
    throw new AppError('conflict', texts.lastAdministrator);
}
