import sharp from 'sharp';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { Refusal } from '../refusal.ts';
import { texts } from '../texts.ts';

/** A photo as the house keeps it: a JPEG at most 800 px wide, upright, without EXIF (C48, C49). */
export interface Photo {
  content: Buffer;
  width: number;
  height: number;
}

/** Bytes a photo may have as it is uploaded (C48). */
export const UPLOAD_AT_MOST = 20 * 1024 * 1024;

const WIDTH = 800;
const QUALITY = 50;
const PIXELS_AT_MOST = 50_000_000;

// What the first bytes of a picture must be before any decoder sees it.
const MAGIC = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
];

/**
 * Turns an uploaded picture into a photo of ours.
 * Throws 'tooLarge' past 20 MB or 50 megapixels and 'invalid' for what is no whole JPEG or PNG.
 */
export async function preparePhoto(bytes: Buffer): Promise<Photo> {
  if (bytes.length > UPLOAD_AT_MOST) throw new Refusal('tooLarge', texts.photoTooLarge);
  if (!MAGIC.some((magic) => magic.every((byte, at) => bytes[at] === byte))) throw unreadable();
  const { width = 0, height = 0 } = await sharp(bytes, { limitInputPixels: false }).metadata().catch(() => {
    throw unreadable();
  });
  if (width * height > PIXELS_AT_MOST) throw new Refusal('tooLarge', texts.photoTooLarge);
  const { data, info } = await sharp(bytes, { limitInputPixels: PIXELS_AT_MOST, failOn: 'error', animated: false })
    .rotate()
    .resize({ width: WIDTH, withoutEnlargement: true })
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .jpeg({ quality: QUALITY })
    .timeout({ seconds: 10 })
    .toBuffer({ resolveWithObject: true })
    .catch(() => {
      throw unreadable();
    });
  return { content: data, width: info.width, height: info.height };
}

/** Keeps a photo for the school; its id. */
export async function storePhoto(trx: Trx, actor: Member, photo: Photo): Promise<number> {
  const { id } = await trx
    .insertInto('photos')
    .values({ school_id: actor.schoolId, user_id: actor.id, ...photo })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A photo's JPEG; undefined for one of another school too (C20). */
export async function findPhoto(db: Db, schoolId: number, id: number): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('photos')
    .select('content')
    .where('school_id', '=', schoolId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.content;
}

function unreadable(): Refusal {
  return new Refusal('invalid', texts.photoUnreadable);
}
