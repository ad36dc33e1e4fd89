import type { Trx } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { fingerprint } from '../idempotency.server.ts';
import type { NormalizedPhoto } from '../meters/normalize-photo.server.ts';
import { takePhotoTurn } from '../turns/queues.server.ts';
import { preparePhoto, storePhoto } from '../meters/photos.server.ts';
import { squawkTexts } from './squawk-texts.server.ts';

/** Prepares the photos. Throws as `takePhotoTurn` and `preparePhoto` do, beside the field. */
export async function prepareSquawkPhotos(
  author: Member,
  images: Buffer[] | null | undefined,
  field: string,
): Promise<NormalizedPhoto[]> {
  const photos: NormalizedPhoto[] = [];
  for (const image of images ?? []) {
    const prepare = () => preparePhoto(image);
    photos.push(await takePhotoTurn(author, prepare).catch((error: unknown) => throwOnField(error, field)));
  }
  return photos;
}

export async function storeSquawkPhotos(
  trx: Trx,
  author: Member,
  squawkId: number,
  photos: NormalizedPhoto[],
): Promise<void> {
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

function throwOnField(error: unknown, field: string): never {
  throw error instanceof AppError ? error.onField(field) : error;
}
