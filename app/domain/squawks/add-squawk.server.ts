import type { Db, Trx } from '#db/connect.server.ts';
import { MAINTENANCE_MAIL_LIFE_MS, MAX_SQUAWKS_OF_SCHOOL_HOURLY, MAX_SQUAWKS_OF_USER_HOURLY } from '#app/limits.ts';
import type { Member } from '../actor.ts';
import { findAircraftForUpdate, requireAircraft } from '../aircraft/find-aircraft-for-update.server.ts';
import { assertWithinBudget } from '../audit/hourly-budget.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { mailAdministrators } from '../mail/queries.server.ts';
import { unsafeSquawkEmail } from '../mail/school-emails.server.ts';
import type { NormalizedPhoto } from '../meters/normalize-photo.server.ts';
import { findSquawk } from './queries.server.ts';
import type { AddSquawkInput, Squawk } from './schema.server.ts';
import { photoHashes, prepareSquawkPhotos, storeSquawkPhotos } from './squawk-photos.server.ts';

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

interface NewSquawk {
  aircraftId: number;
  flightLogId: number | null;
  text: string;
  unsafe: boolean;
  photos: NormalizedPhoto[];
}

/** Opens a squawk in the transaction of what reports it; administrators get a mail about an unsafe one. */
export async function openSquawk(trx: Trx, author: Member, squawk: NewSquawk): Promise<number> {
  const { aircraftId, flightLogId, text, unsafe, photos } = squawk;
  const owned = { school_id: author.schoolId, user_id: author.id };
  const { id } = await trx
    .insertInto('squawks')
    .values({ ...owned, aircraft_id: aircraftId, flight_log_id: flightLogId, text, unsafe })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('squawk_events')
    .values({ ...owned, squawk_id: id, state: 'open' })
    .execute();
  await storeSquawkPhotos(trx, author, id, photos);
  const { tailNumber } = await trx
    .selectFrom('aircraft')
    .select('tail_number as tailNumber')
    .where('school_id', '=', author.schoolId)
    .where('id', '=', aircraftId)
    .executeTakeFirstOrThrow();
  await writeAuditEntry(trx, author, {
    action: 'opened squawk',
    subject: 'squawk',
    subjectId: id,
    after: { aircraft: tailNumber, unsafe },
  });
  await raiseReport(trx, author, aircraftId, id);
  if (unsafe) {
    const letter = { squawkId: id, tailNumber, text, author: author.username };
    await mailAdministrators(trx, author.schoolId, MAINTENANCE_MAIL_LIFE_MS, (recipient) =>
      unsafeSquawkEmail({ ...recipient, ...letter }),
    );
  }
  return id;
}

async function raiseReport(trx: Trx, { schoolId, raisedEvents }: Member, aircraftId: number, id: number) {
  if (!raisedEvents) return;
  const data = await findSquawk(trx, schoolId, id);
  if (data) raisedEvents.push({ type: 'squawk.reported', schoolId, aircraftId, data });
}
