import type { Db, Trx } from '#db/connect.server.ts';
import { MAINTENANCE_MAIL_LIFE_MS, MAX_SQUAWKS_OF_SCHOOL_HOURLY, MAX_SQUAWKS_OF_USER_HOURLY } from '#app/limits.ts';
import type { Member } from '../actor.ts';
import { requireAircraftRowForUpdate, requireAircraftRow } from '../aircraft/queries.server.ts';
import { assertWithinBudget } from '../audit/hourly-budget.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { mailAdministrators } from '../mail/queries.server.ts';
import { unsafeSquawkEmail } from '../mail/school-emails.server.ts';
import type { NormalizedPhoto } from '../meters/normalize-photo.server.ts';
import { findSquawk } from './queries.server.ts';
import type { AddSquawkInput, Squawk } from './schema.server.ts';
import { AppError, throwOnField } from '../app-error.ts';
import { fingerprint } from '../idempotency.server.ts';
import { runPhotoWorkInTurn } from '../turns/queues.server.ts';
import { preparePhoto, storePhoto } from '../meters/photos.server.ts';
import { squawkTexts } from './squawk-texts.server.ts';

/** Reports a squawk between flights. Throws 'notFound' outside the fleet, 'tooMany', and as `prepareSquawkPhotos` does. */
export async function addSquawk(db: Db, member: Member, input: AddSquawkInput, key?: string): Promise<Squawk> {
  const { aircraftId, text, unsafe, photos: images } = input;
  if (images?.length) await requireAircraftRow(db, member, aircraftId);
  const photos = await prepareSquawkPhotos(member, images, 'photos');
  const operation = {
    actor: member,
    can: 'anyRole',
    key,
    operation: `add squawk to aircraft ${aircraftId}`,
    input: { ...input, photos: photoHashes(images) },
  } as const;
  return runOperation(db, operation, async (trx, author) => {
    await requireAircraftRowForUpdate(trx, author, aircraftId);
    await assertWithinBudget(trx, author, {
      actions: ['opened squawk'],
      ofUser: MAX_SQUAWKS_OF_USER_HOURLY,
      ofSchool: MAX_SQUAWKS_OF_SCHOOL_HOURLY,
    });
    const id = await insertOpenSquawk(trx, author, {
      aircraftId,
      flightLogId: null,
      text,
      unsafe: unsafe ?? false,
      photos,
    });
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
export async function insertOpenSquawk(trx: Trx, author: Member, squawk: NewSquawk): Promise<number> {
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

/** Prepares the photos. Throws as `runPhotoWorkInTurn` and `preparePhoto` do, beside the field. */
export async function prepareSquawkPhotos(
  author: Member,
  images: Buffer[] | null | undefined,
  field: string,
): Promise<NormalizedPhoto[]> {
  const photos: NormalizedPhoto[] = [];
  for (const image of images ?? []) {
    const prepare = () => preparePhoto(image);
    photos.push(await runPhotoWorkInTurn(author, prepare).catch((error: unknown) => throwOnField(error, field)));
  }
  return photos;
}

async function storeSquawkPhotos(trx: Trx, author: Member, squawkId: number, photos: NormalizedPhoto[]): Promise<void> {
  for (const photo of photos) {
    const photo_id = await storePhoto(trx, author, photo);
    await trx
      .insertInto('squawk_photos')
      .values({ school_id: author.schoolId, squawk_id: squawkId, photo_id })
      .execute();
  }
}

/** Throws 'invalid' beside the notes of a check-in that says or shows something unsafe without a word. */
export function assertSquawkDescribed(input: SquawkOfCheckIn): void {
  if (input.notes) return;
  if (input.unsafe) throw new AppError('invalid', squawkTexts.unsafeWithoutSquawk).onField('notes');
  if (input.squawkPhotos?.length) throw new AppError('invalid', squawkTexts.photoWithoutSquawk).onField('notes');
}

interface SquawkOfCheckIn {
  notes?: string | null | undefined;
  unsafe?: boolean | null | undefined;
  squawkPhotos?: Buffer[] | null | undefined;
}

/** Hashes the photos, to compare repeated requests. */
export function photoHashes(images: Buffer[] | null | undefined): string[] {
  return (images ?? []).map(fingerprint);
}

/** Reads the files, without the empty one that a browser sends if none was chosen. */
export async function readPhotoFiles(files: File[] | undefined): Promise<Buffer<ArrayBuffer>[]> {
  const chosen = (files ?? []).filter(({ size }) => size > 0);
  return Promise.all(chosen.map(async (file) => Buffer.from(await file.arrayBuffer())));
}
