import { describe, expect, it } from 'vitest';
import { preparePhoto } from '#app/domain/meters/photos.server.ts';
import { chunk, packedZeros, png } from '#tests/support/png.ts';

/** A black PNG, a few kilobytes whatever its size. */
const black = (width: number, height: number) =>
  png({ width, height, colour: 0 }, chunk('IDAT', packedZeros((width + 1) * height)));

const sizeOf = async (width: number, height: number) => {
  const photo = await preparePhoto(black(width, height));
  return [photo.width, photo.height];
};

const tooLarge = {
  code: 'tooLarge',
  message: 'Image too large. Please try again with less detail or in better lighting.',
};

describe('the photo that is kept', () => {
  it.each([
    [799, 799],
    [800, 800],
    [801, 800],
  ])('a picture %i px wide is kept %i px wide (B311, C48)', async (width, kept) => {
    expect((await sizeOf(width, 100))[0]).toBe(kept);
  });

  it.each([
    [2399, 2399],
    [2400, 2400],
    [2401, 2400],
  ])('a picture %i px high is kept %i px high (B311, C48)', async (height, kept) => {
    expect((await sizeOf(100, height))[1]).toBe(kept);
  });

  it('a photo is a JPEG of quality 50, whose quantization is that of the standard itself (B162, B311, C48)', async () => {
    const { content } = await preparePhoto(black(64, 64));
    // The first row of the luminance table of ITU-T T.81, Annex K, in the order of the file.
    const first = [16, 11, 12, 14, 12, 10, 16, 14];
    const table = content.indexOf(Buffer.from([0xff, 0xdb]));
    expect([...content.subarray(table + 5, table + 5 + first.length)]).toEqual(first);
  });
});

describe('the picture that is taken', () => {
  it('a picture has at most 25 megapixels (C48, B423)', async () => {
    expect(await sizeOf(8000, 3125)).toEqual([800, 313]);
    await expect(preparePhoto(black(8000, 3126))).rejects.toMatchObject(tooLarge);
  });

  it('a picture has at most 10,000 px on a side (C48)', async () => {
    expect(await sizeOf(10_000, 20)).toEqual([800, 2]);
    await expect(preparePhoto(black(10_001, 20))).rejects.toMatchObject(tooLarge);
    await expect(preparePhoto(black(20, 10_001))).rejects.toMatchObject(tooLarge);
  });
});
