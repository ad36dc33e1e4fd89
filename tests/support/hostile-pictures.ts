import sharp from 'sharp';
import { withClaimedSize, repeatingScans, withGainMap } from './jpeg.ts';
import { GOOD, type Picture } from './odd-pictures.ts';
import { chunk, splitChunks, joinChunks, packedZeros, png } from './png.ts';

const meter = () => sharp(GOOD);
const plain = await meter().png().toBuffer();
const inScans = await meter().jpeg({ progressive: true }).toBuffer();
const frames = sharp(await meter().resize(100, 150, { fit: 'fill' }).raw().toBuffer(), {
  raw: { width: 100, height: 150, channels: 3, pageHeight: 75 },
});
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>';
const NOTHING = chunk('IDAT', packedZeros(1000));

/** What is no JPEG or PNG, or not a whole one. */
export const UNREADABLE: Picture[] = [
  ['plain text', () => Buffer.from('1234.5')],
  ['HTML', () => Buffer.from('<!doctype html><title>A meter</title><img src="/photos/1">')],
  ['an SVG', () => Buffer.from(SVG)],
  ['a PDF', () => Buffer.from('%PDF-1.7\n%%EOF')],
  ['a ZIP', () => Buffer.from('PK\x05\x06'.padEnd(22, '\0'))],
  ['a GIF', () => meter().gif().toBuffer()],
  ['an animated GIF', () => frames.clone().gif().toBuffer()],
  ['a GIF that is a script too', () => Buffer.from('GIF89a/*\0\0*/=1;alert(1)')],
  ['a WebP', () => meter().webp().toBuffer()],
  ['an animated WebP', () => frames.clone().webp().toBuffer()],
  ['an AVIF', () => meter().resize(200).avif({ effort: 0 }).toBuffer()],
  ['a HEIC', async () => branded(await meter().resize(200).avif({ effort: 0 }).toBuffer(), 'heic')],
  ['a TIFF', () => meter().tiff().toBuffer()],
  [
    'a BMP',
    () =>
      Buffer.from(`BM${'\0'.repeat(8)}\x36\0\0\0\x28\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\x18`.padEnd(58, '\0'), 'latin1'),
  ],
  ['a pixmap', () => Buffer.from('P6 1 1 255 abc')],
  ['the first bytes of a JPEG', () => GOOD.subarray(0, 3)],
  ['the first bytes of a PNG', () => plain.subarray(0, 8)],
  ['half a JPEG', () => GOOD.subarray(0, GOOD.length / 2)],
  ['half a progressive JPEG', () => inScans.subarray(0, inScans.length / 2)],
  ['half a PNG', () => plain.subarray(0, plain.length / 2)],
  ['a JPEG that begins in the middle', () => Buffer.concat([GOOD.subarray(0, 3), GOOD.subarray(GOOD.length / 2)])],
  ['an SVG that begins as a JPEG', () => Buffer.concat([GOOD.subarray(0, 3), Buffer.from(SVG)])],
  ['a JPEG of 12 bits', () => withClaimedSize(GOOD, { depth: 12 })],
  ['a JPEG of no height', () => withClaimedSize(GOOD, { height: 0 })],
  ['a JPEG of no width', () => withClaimedSize(GOOD, { width: 0 })],
  ['a JPEG that sends its last scan 5,000 times more', () => repeatingScans(inScans, 5000)],
  ['a PNG with a wrong checksum in its header', () => corrupted(plain, 8 + 4 + 4 + 13)],
  [
    'a PNG with a wrong checksum in its picture',
    () => corrupted(plain, plain.indexOf('IDAT') + 4 + plain.readUInt32BE(plain.indexOf('IDAT') - 4)),
  ],
  ['a PNG without a picture', () => png({ width: 100, height: 100 })],
  ['a PNG without a header', () => joinChunks(splitChunks(plain).slice(1))],
  ['a PNG of no size', () => png({ width: 0, height: 0 }, NOTHING)],
  ['a PNG of 2,147,483,647 pixels by as many', () => png({ width: 0x7fffffff, height: 0x7fffffff }, NOTHING)],
  ['a PNG that claims 24 megapixels and has a thousand bytes', () => png({ width: 4900, height: 4900 }, NOTHING)],
];

/** What would take too much memory to decode. */
export const TOO_LARGE: Picture[] = [
  ['a JPEG of 5,001 pixels by as many', () => withClaimedSize(GOOD, { width: 5001, height: 5001 })],
  ['a JPEG of 30,000 pixels by as many', () => withClaimedSize(GOOD, { width: 30_000, height: 30_000 })],
  ['a JPEG of 65,500 pixels by as many', () => withClaimedSize(GOOD, { width: 65_500, height: 65_500 })],
  ['a JPEG 65,500 pixels wide', () => withClaimedSize(GOOD, { width: 65_500, height: 8 })],
  ['a JPEG 65,500 pixels high', () => withClaimedSize(GOOD, { width: 760, height: 65_500 })],
  ['a PNG of 5,001 pixels by as many', () => png({ width: 5001, height: 5001 }, NOTHING)],
  ['a PNG of 30,000 pixels by as many', () => png({ width: 30_000, height: 30_000 }, NOTHING)],
  ['a PNG 49,000,000 pixels wide', () => png({ width: 49_000_000, height: 1, depth: 16, colour: 6 }, NOTHING)],
  ['a PNG 49,000,000 pixels high', () => png({ width: 1, height: 49_000_000, colour: 0 }, NOTHING)],
  ['a progressive JPEG of 48 megapixels', () => withClaimedSize(inScans, { width: 8000, height: 6000 })],
  [
    'an HDR photo in scans of 48 megapixels',
    async () =>
      withGainMap(withClaimedSize(inScans, { width: 8000, height: 6000 }), await meter().grayscale().jpeg().toBuffer()),
  ],
  [
    'an interlaced PNG of 48 megapixels',
    () => png({ width: 8000, height: 6000, depth: 16, colour: 6, interlaced: true }, NOTHING),
  ],
];

function branded(picture: Buffer, brand: string): Buffer {
  const copy = Buffer.from(picture);
  copy.write(brand, 8, 'latin1');
  return copy;
}

function corrupted(picture: Buffer, at: number): Buffer {
  const copy = Buffer.from(picture);
  copy[at]! ^= 0xff;
  return copy;
}
