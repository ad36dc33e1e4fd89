import sharp from 'sharp';
import { expect, it } from 'vitest';
import { withoutPngTexts } from '#app/domain/meters/normalize-photo.server.ts';
import { preparePhoto } from '#app/domain/meters/photos.server.ts';
import { confidenceLevel, toStoredConfidence, isAboveHighConfidence } from '#app/domain/meters/confidence.ts';
import { withOrientation, withGainMap } from '#tests/support/jpeg.ts';
import { drawMeterPlate } from '#tests/support/pictures.ts';
import { chunk, joinChunks, packedZeros, png, splitChunks } from '#tests/support/png.ts';
import { nightly } from '#tests/support/takes-all.ts';

/** A black PNG, a few kilobytes whatever its size. */
const black = (width: number, height: number) =>
  png({ width, height, colour: 0 }, chunk('IDAT', packedZeros((width + 1) * height)));

const sizeOf = async (width: number, height: number) => {
  const photo = await preparePhoto(black(width, height));
  return [photo.width, photo.height];
};

it('a photo is kept at most 800 px wide and 2400 high, upright, without EXIF (B311, C48, C49)', async () => {
  for (const [width, kept] of [
    [799, 799],
    [800, 800],
    [801, 800],
  ] as const)
    expect((await sizeOf(width, 100))[0], `${width} wide`).toBe(kept);
  for (const [height, kept] of [
    [2399, 2399],
    [2400, 2400],
    [2401, 2400],
  ] as const)
    expect((await sizeOf(100, height))[1], `${height} high`).toBe(kept);
  const phone = await sharp(await drawMeterPlate('1234.5', { width: 1600, height: 1200 }))
    .withExif({ IFD0: { Make: 'A phone' }, IFD3: { GPSLatitude: '47/1 37/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const photo = await preparePhoto(phone);
  expect([photo.width, photo.height]).toEqual([800, 1067]);
  const kept = await sharp(photo.content).metadata();
  expect([kept.format, kept.width, kept.exif, kept.orientation]).toEqual(['jpeg', 800, undefined, undefined]);
});

it('a photo is a JPEG of quality 50, whose quantization is that of the standard itself (B162, B311, C48)', async () => {
  const { content } = await preparePhoto(black(64, 64));
  // The first row of the luminance table of ITU-T T.81, Annex K, in the order of the file.
  const first = [16, 11, 12, 14, 12, 10, 16, 14];
  const table = content.indexOf(Buffer.from([0xff, 0xdb]));
  expect([...content.subarray(table + 5, table + 5 + first.length)]).toEqual(first);
});

it('of a PNG texts never reach the decoder, which inflates each to a thousand times its length (B1718)', async () => {
  const text = (type: string, head: string) => chunk(type, Buffer.concat([Buffer.from(head), packedZeros(2_000_000)]));
  const gamma = chunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f]));
  const all = splitChunks(black(64, 64));
  const [header, picture] = [all.slice(0, 1), all.slice(1)];
  const others = [text('iTXt', 'k\0\x01\0\0\0'), chunk('tEXt', 'k\0v'), chunk('teST')];
  const written = joinChunks([...header, text('zTXt', 'k\0\0'), gamma, ...others, ...picture, ...others]);
  expect(withoutPngTexts(written)).toEqual(joinChunks([...header, gamma, ...picture]));
  expect(await preparePhoto(written)).toMatchObject({ width: 64, height: 64 });
  const many = joinChunks(Array.from({ length: 20_001 }, () => chunk('teST')));
  await expect(preparePhoto(many)).rejects.toMatchObject({ code: 'invalid' });
  const photo = await drawMeterPlate('1234.5', { width: 160, height: 120 });
  expect(withoutPngTexts(photo)).toBe(photo);
});

it('a picture has at most 25 megapixels, and 10,000 px on a side (C48, B423)', async () => {
  expect(await sizeOf(8000, 3125)).toEqual([800, 313]);
  expect(await sizeOf(10_000, 20)).toEqual([800, 2]);
  for (const [width, height] of [
    [8000, 3126],
    [10_001, 20],
    [20, 10_001],
  ] as const)
    await expect(preparePhoto(black(width, height)), `${width} by ${height}`).rejects.toMatchObject({
      code: 'tooLarge',
      message: 'Image too large. Please try again with less detail or in better lighting.',
    });
});

it('a small picture keeps its size, and CMYK, grey and transparent ones become sRGB JPEGs (C48)', async () => {
  const small = await drawMeterPlate('7', { width: 200, height: 100 });
  for (const bytes of [
    small,
    await sharp(small).toColourspace('cmyk').jpeg().toBuffer(),
    await sharp(small).grayscale().png().toBuffer(),
    await sharp({ create: { width: 200, height: 100, channels: 4, background: '#0000' } })
      .png()
      .toBuffer(),
  ]) {
    const photo = await preparePhoto(bytes);
    const kept = await sharp(photo.content).metadata();
    expect([kept.format, kept.width, kept.space]).toEqual(['jpeg', 200, 'srgb']);
  }
});

it('past eight pending pictures the next is refused with 503 (C48)', async () => {
  const small = await drawMeterPlate('7', { width: 200, height: 100 });
  const answers = await Promise.allSettled(Array.from({ length: 10 }, () => preparePhoto(small)));
  expect(answers.map(({ status }) => status)).toEqual([...Array(8).fill('fulfilled'), 'rejected', 'rejected']);
  expect(answers[9]).toMatchObject({ reason: { code: 'unavailable' } });
});

nightly('an HDR photo is decoded without its gain map, and the uploaded bytes stay unchanged (C48)', async () => {
  const photo = withGainMap(
    withOrientation(await drawMeterPlate('9'), 6),
    await sharp(await drawMeterPlate('9'))
      .grayscale()
      .jpeg()
      .toBuffer(),
  );
  const sent = Buffer.from(photo);
  expect((await sharp(photo).metadata()).gainMap).toBeDefined();
  expect(await preparePhoto(photo)).toMatchObject({ width: 240, height: 640 });
  expect(photo.equals(sent)).toBe(true);
});

it('confidence is High from 0.8, highlighted above it, and stored without rounding up (B127, B170, B310, C66)', () => {
  expect([0.8, 0.79, 0.5, 0.49, 0].map(confidenceLevel)).toEqual(['High', 'Medium', 'Medium', 'Low', 'Low']);
  expect([0.81, 0.8].map(isAboveHighConfidence)).toEqual([true, false]);
  const stored = ['1.00', '0.57', '0.29', '0.80', '0.79', '0.00'];
  expect([1, 0.57, 0.29, 0.8, 0.7999, 0.005].map(toStoredConfidence)).toEqual(stored);
});
