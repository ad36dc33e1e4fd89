import type { Db, Trx } from '#db/connect.server.ts';
import { MAX_SQUAWKS_OF_SCHOOL_HOURLY, MAX_SQUAWKS_OF_USER_HOURLY } from '#app/limits.ts';
import type { Member } from '../actor.ts';
import { findAircraftForUpdate, requireAircraft } from '../aircraft/find-aircraft-for-update.server.ts';
import { assertWithinBudget } from '../audit/hourly-budget.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { openSquawk } from './open-squawk.server.ts';
import { findSquawk } from './queries.server.ts';
import type { AddSquawkInput, Squawk } from './schema.server.ts';
import { photoHashes, prepareSquawkPhotos } from './squawk-photos.server.ts';

/** Reports a squawk between flights. Throws 'notFound' outside the fleet, 'tooMany', and as `prepareSquawkPhotos` does. */
export async function addSquawk(db: Db, member: Member, input: AddSquawkInput, key?: string): Promise<Squawk> {
  const { aircraftId, text, unsafe, photos: images } = input;
  if (images?.length) await requireAircraft(db, member, aircraftId);
  const photos = await prepareSquawkPhotos(member, images, 'photos');
  const operation = {
    actor: member,
    can: 'anyRole',
    key,
    operation: `add squawk to aircraft ${aircraftId}`,
    input: { ...input, photos: photoHashes(images) },
  } as const;
  return runOperation(db, operation, async (trx, author) => {
    await findAircraftForUpdate(trx, author, aircraftId);
    await assertWithinBudget(trx, author, {
      actions: ['opened squawk'],
      ofUser: MAX_SQUAWKS_OF_USER_HOURLY,
      ofSchool: MAX_SQUAWKS_OF_SCHOOL_HOURLY,
    });
    const id = await openSquawk(trx, author, { aircraftId, flightLogId: null, text, unsafe: unsafe ?? false, photos });
    return readBackSquawk(trx, author.schoolId, id);
  });
}

export async function readBackSquawk(trx: Trx, schoolId: number, id: number): Promise<Squawk> {
  const squawk = await findSquawk(trx, schoolId, id);
  if (!squawk) throw new Error(`squawk ${id} is gone within its own transaction`);
  return squawk;
}
