import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { preparePhoto } from '#app/domain/meters/photos.server.ts';
import { confidenceLevel, toStoredConfidence, isAboveHighConfidence } from '#app/domain/meters/confidence.ts';
import { withOrientation, withGainMap } from '#tests/support/jpeg.ts';
import { drawMeterPlate } from '#tests/support/pictures.ts';
import { nightly } from '#tests/support/takes-all.ts';

describe('preparePhoto', () => {
  it('a photo is stored at most 800 px wide, upright, without EXIF (B311, C48, C49)', async () => {
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

  it('a picture of more than 25 megapixels is too large, before it is decoded (C48)', async () => {
    const bomb = await sharp({ create: { width: 6000, height: 4500, channels: 3, background: 'black' } })
      .png({ compressionLevel: 9 })
      .toBuffer();
    await expect(preparePhoto(bomb)).rejects.toMatchObject({
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
});

describe('the decoder', () => {
  it('past eight pending pictures the next is refused with 503 (C48)', async () => {
    const small = await drawMeterPlate('7', { width: 200, height: 100 });
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => preparePhoto(small)));
    expect(answers.map(({ status }) => status)).toEqual([...Array(8).fill('fulfilled'), 'rejected', 'rejected']);
    expect(answers[9]).toMatchObject({ reason: { code: 'unavailable' } });
  });

  nightly('a very high picture is stored at most 2400 px high (B311)', async () => {
    const strip = await sharp({ create: { width: 400, height: 9000, channels: 3, background: '#777' } })
      .jpeg()
      .toBuffer();
    expect(await preparePhoto(strip)).toMatchObject({ width: 107, height: 2400 });
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
});

describe('confidence', () => {
  it('confidence is High from 0.8, Medium from 0.5, else Low (B170, B310, C66)', () => {
    expect([0.8, 0.79, 0.5, 0.49, 0].map(confidenceLevel)).toEqual(['High', 'Medium', 'Medium', 'Low', 'Low']);
  });

  it('confidence is highlighted only above 0.8 (B127, B310)', () => {
    expect([0.81, 0.8].map(isAboveHighConfidence)).toEqual([true, false]);
  });

  it('confidence is stored without rounding up, so that Medium stays Medium (C66)', () => {
    expect([1, 0.57, 0.29, 0.8, 0.7999, 0.005].map(toStoredConfidence)).toEqual([
      '1.00',
      '0.57',
      '0.29',
      '0.80',
      '0.79',
      '0.00',
    ]);
  });
});
