import type { Db, Trx } from '#db/connect.server.ts';
import { MAX_UPLOADED_PHOTO_BYTES } from '#app/limits.ts';
import type { Member } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { normalizePhoto, type NormalizedPhoto, withoutPngTexts } from './normalize-photo.server.ts';

// These first bytes are accepted before any decoder runs.
const MAGIC = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
];

/** Checks and normalizes a photo. Throws 'tooLarge' past 20 MB or 25 megapixels, 'invalid' unless JPEG or PNG. */
export async function preparePhoto(bytes: Buffer): Promise<NormalizedPhoto> {
  if (bytes.length > MAX_UPLOADED_PHOTO_BYTES) throw new AppError('tooLarge', texts.photoTooLarge);
  if (!MAGIC.some((magic) => magic.every((byte, at) => bytes[at] === byte)))
    throw new AppError('invalid', texts.photoUnreadable);
  return normalizePhoto(withoutPngTexts(bytes));
}

export async function storePhoto(trx: Trx, actor: Member, photo: NormalizedPhoto): Promise<number> {
  const { id } = await trx
    .insertInto('photos')
    .values({ school_id: actor.schoolId, user_id: actor.id, ...photo })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Finds a photo; undefined outside the school. */
export async function findPhotoContent(db: Db, schoolId: number, id: number): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('photos')
    .select('content')
    .where('school_id', '=', schoolId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.content;
}
