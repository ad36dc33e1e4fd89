import sharp, { type Metadata } from 'sharp';
import { PHOTO_DECODE_S } from '#db/deadlines.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { onePhotoStepAtATime } from '../turns/queues.server.ts';

/** A JPEG at most 800 px wide, upright, without EXIF. */
export interface NormalizedPhoto {
  content: Buffer;
  width: number;
  height: number;
}

const MAX_PIXELS = 25_000_000;
// The limit is for sharp, which buffers rows of the full width while it scales down.
const MAX_SIDE_PIXELS = 10_000;
// Such images, progressive JPEG and interlaced PNG, are decoded as a whole (docs/decisions/042).
const MAX_BUFFERED_BYTES = 40_000_000;
// Longer rows are subsampled first, because sharp buffers hundreds of them while it scales down.
const MAX_ROW_BYTES = 16_000;

const [M, P, F] = Buffer.from('MPF');

const SIZE = { width: 800, height: 2400 };
const QUALITY = 50;
const OPTIONS = { limitInputPixels: MAX_PIXELS, failOn: 'error', autoOrient: true } as const;

// The cache would keep decoders of images that never recur.
sharp.cache(false);

/** Decodes one image at a time, as its threads also hash passwords. Throws 'tooLarge', 'invalid' or 'unavailable'. */
export const normalizePhoto = onePhotoStepAtATime(async (bytes: Buffer): Promise<NormalizedPhoto> => {
  const picture = firstPicture(bytes);
  const metadata = await sharp(picture, { limitInputPixels: false, failOn: 'error' }).metadata().catch(unreadable);
  assertBounded(metadata);
  const bounded = hasLongRows(metadata) ? await subsample(picture, metadata) : picture;
  const { data, info } = await sharp(bounded, OPTIONS)
    .resize({ ...SIZE, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .jpeg({ quality: QUALITY })
    .timeout({ seconds: PHOTO_DECODE_S })
    .toBuffer({ resolveWithObject: true })
    .catch(unreadable);
  return { content: data, width: info.width, height: info.height };
});

/** Drops the index of further images (MPF): its decoder hides progressive scans and writes to stdout. */
function firstPicture(bytes: Buffer): Buffer {
  let picture = bytes;
  // The loop looks at two bytes, because indexOf would stop at each of millions of 0xFF bytes.
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] !== 0xff || bytes[at + 1] !== 0xe2) continue;
    if (bytes[at + 4] !== M || bytes[at + 5] !== P || bytes[at + 6] !== F) continue;
    if (picture === bytes) picture = Buffer.from(bytes);
    picture[at + 4] = 0;
  }
  return picture;
}

const PICTURE_CHUNKS = new Set(['IHDR', 'PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'eXIf', 'IDAT', 'IEND']);
const MAX_PNG_CHUNKS = 20_000;
const PNG_SIGNATURE_BYTES = 8;
const [PNG_BEGINS] = Buffer.from('\x89PNG', 'latin1');

/** Leaves out texts of a PNG, of which a megabyte inflates to a gigabyte each time that the picture is looked at. Throws 'invalid'. */
export function withoutPngTexts(bytes: Buffer): Buffer {
  if (bytes[0] !== PNG_BEGINS) return bytes;
  const kept = [bytes.subarray(0, PNG_SIGNATURE_BYTES)];
  let at = PNG_SIGNATURE_BYTES;
  for (let count = 0; at + 8 <= bytes.length; count += 1) {
    if (count === MAX_PNG_CHUNKS) unreadable();
    const end = at + 12 + bytes.readUInt32BE(at);
    if (PICTURE_CHUNKS.has(bytes.toString('latin1', at + 4, at + 8))) kept.push(bytes.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}

function assertBounded({ width, height, channels, chromaSubsampling, isProgressive }: Metadata): void {
  const samples = chromaSubsampling === '4:2:0' ? 1.5 : channels;
  const held = isProgressive ? 2 * samples * width * height : 0;
  if (width * height <= MAX_PIXELS && Math.max(width, height) <= MAX_SIDE_PIXELS && held <= MAX_BUFFERED_BYTES) return;
  throw new AppError('tooLarge', texts.photoTooLarge);
}

// The decoder of JPEG scales it down itself.
function hasLongRows({ format, width, channels, depth }: Metadata): boolean {
  return format !== 'jpeg' && width * channels * (depth === 'ushort' ? 2 : 1) > MAX_ROW_BYTES;
}

function subsample(picture: Buffer, { width, autoOrient }: Metadata): Promise<Buffer> {
  const scale = 2 * Math.min(SIZE.width / autoOrient.width, SIZE.height / autoOrient.height);
  return sharp(picture, { ...OPTIONS, autoOrient: false })
    .pipelineColourspace('srgb')
    .resize({ width: Math.ceil(scale * width), kernel: 'nearest', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .keepExif()
    .png({ compressionLevel: 0 })
    .timeout({ seconds: PHOTO_DECODE_S })
    .toBuffer()
    .catch(unreadable);
}

function unreadable(): never {
  throw new AppError('invalid', texts.photoUnreadable);
}
