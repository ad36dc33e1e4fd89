import sharp, { type Metadata } from 'sharp';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { queued } from './photo-queue.server.ts';

/** A photo as the house keeps it: a JPEG at most 800 px wide, upright, without EXIF (C48, C49). */
export interface NormalizedPhoto {
  content: Buffer;
  width: number;
  height: number;
}

const MAX_PIXELS = 50_000_000;
// Many lines at a time are held while they are shrunk, however short the picture is.
const MAX_SIDE_PIXELS = 10_000;
// A picture that comes in passes, as scans of a JPEG or interlaced lines of a PNG, is held whole until the last one.
const MAX_BUFFERED_BYTES = 40_000_000;
// The decoder holds some hundreds of lines while it shrinks them; longer ones are thinned out first.
const LINE_AT_MOST = 16_000;
// By the clock on the wall, so far above any picture's need that no load of the machine reaches it.
const DECODE_TIMEOUT_S = 300;
const MAX_QUEUED = 8;

const [M, P, F] = Buffer.from('MPF');

// Spec §9 caps the width; a photo of something is no higher than this.
const SIZE = { width: 800, height: 2400 };
const QUALITY = 50;
const OPTIONS = { limitInputPixels: MAX_PIXELS, failOn: 'error', autoOrient: true } as const;

// No picture comes twice, and what the cache keeps of one is its decoder with all that it holds.
sharp.cache(false);

/**
 * Decodes a JPEG or PNG and makes a photo of it, one picture at a time: the threads that decode also hash passwords
 * and read files. Throws 'tooLarge' for what would take too much memory, 'invalid' for what is not whole, and
 * 'unavailable' past eight waiting pictures.
 */
export const normalizePhoto = queued(async (bytes: Buffer): Promise<NormalizedPhoto> => {
  const picture = firstPicture(bytes);
  const metadata = await sharp(picture, { limitInputPixels: false, failOn: 'error' }).metadata().catch(unreadable);
  assertBounded(metadata);
  const short = hasLongLines(metadata) ? await thinnedOut(picture, metadata) : picture;
  const { data, info } = await sharp(short, OPTIONS)
    .resize({ ...SIZE, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .jpeg({ quality: QUALITY })
    .timeout({ seconds: DECODE_TIMEOUT_S })
    .toBuffer({ resolveWithObject: true })
    .catch(unreadable);
  return { content: data, width: info.width, height: info.height };
}, MAX_QUEUED);

/**
 * The picture without its index of further ones (MPF), by which a phone's HDR photo would go to another decoder: that
 * one does not tell that a picture comes in passes, and prints what it finds wrong to our output.
 */
function firstPicture(bytes: Buffer): Buffer {
  let picture = bytes;
  // Byte by byte: a search would stop at each of the millions of marks that a picture may be made of.
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] !== 0xff || bytes[at + 1] !== 0xe2) continue;
    if (bytes[at + 4] !== M || bytes[at + 5] !== P || bytes[at + 6] !== F) continue;
    if (picture === bytes) picture = Buffer.from(bytes);
    picture[at + 4] = 0;
  }
  return picture;
}

function assertBounded({ width, height, channels, chromaSubsampling, isProgressive }: Metadata): void {
  const samples = chromaSubsampling === '4:2:0' ? 1.5 : channels;
  const held = isProgressive ? 2 * samples * width * height : 0;
  if (width * height <= MAX_PIXELS && Math.max(width, height) <= MAX_SIDE_PIXELS && held <= MAX_BUFFERED_BYTES) return;
  throw new AppError('tooLarge', texts.photoTooLarge);
}

// A JPEG is shrunk while it is decoded.
function hasLongLines({ format, width, channels, depth }: Metadata): boolean {
  return format !== 'jpeg' && width * channels * (depth === 'ushort' ? 2 : 1) > LINE_AT_MOST;
}

/** The picture at twice the size that is kept, by leaving out what lies between. */
function thinnedOut(picture: Buffer, { width, autoOrient }: Metadata): Promise<Buffer> {
  const scale = 2 * Math.min(SIZE.width / autoOrient.width, SIZE.height / autoOrient.height);
  return sharp(picture, { ...OPTIONS, autoOrient: false })
    .pipelineColourspace('srgb')
    .resize({ width: Math.ceil(scale * width), kernel: 'nearest', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .keepExif()
    .png({ compressionLevel: 0 })
    .timeout({ seconds: DECODE_TIMEOUT_S })
    .toBuffer()
    .catch(unreadable);
}

function unreadable(): never {
  throw new AppError('invalid', texts.photoUnreadable);
}
