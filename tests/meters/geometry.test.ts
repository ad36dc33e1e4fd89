import { describe, expect, it } from 'vitest';
import {
  quadAxes,
  rotatedRectangle,
  unitSquareToQuad,
  expandQuad,
  type Quad,
} from '#app/domain/meters/engine/geometry.ts';
import { ImagePyramid, toGrayscale } from '#app/domain/meters/engine/grayscale.ts';
import { findPeaks } from '#app/domain/meters/engine/finder.ts';

const leaning: Quad = [
  [10, 20],
  [110, 40],
  [105, 80],
  [8, 52],
];

describe('quads', () => {
  it('the corners of the unit square are mapped to those of the quad, and a straight line stays straight', () => {
    const at = unitSquareToQuad(leaning);
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ].forEach(([u = 0, v = 0], corner) => {
      const [x, y] = at(u, v);
      expect([x, y]).toEqual([expect.closeTo(leaning[corner]![0], 6), expect.closeTo(leaning[corner]![1], 6)]);
    });
    const [[ax, ay], [bx, by], [cx, cy]] = [at(0.1, 0.3), at(0.5, 0.3), at(0.9, 0.3)];
    expect((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)).toBeCloseTo(0, 6);
  });

  it('a box has the centre, size and angle it was made with', () => {
    const { centre, along, down } = quadAxes(rotatedRectangle([50, 60], 40, 20, 0.3));
    expect(centre).toEqual([expect.closeTo(50), expect.closeTo(60)]);
    expect([Math.hypot(...along), Math.hypot(...down), Math.atan2(along[1], along[0])]).toEqual([
      expect.closeTo(20),
      expect.closeTo(10),
      expect.closeTo(0.3),
    ]);
  });

  it('a box grown by half of its width on each side is twice as wide', () => {
    const { along, down } = quadAxes(expandQuad(rotatedRectangle([50, 60], 40, 20, 0), 0.5, 0));
    expect([along[0], down[1]]).toEqual([expect.closeTo(40), expect.closeTo(10)]);
  });
});

describe('a photo', () => {
  // Every pixel is the sum of its column and row.
  const [rows, columns] = [64, 96];
  const rgb = Uint8Array.from({ length: rows * columns * 3 }, (_, at) => {
    const pixel = Math.floor(at / 3);
    return (pixel % columns) + Math.floor(pixel / columns);
  });
  const photo = new ImagePyramid(toGrayscale(rgb, { rows, columns }));
  const whole = rotatedRectangle([columns / 2, rows / 2], columns, rows, 0);

  it('a photo cut whole is unchanged, four times smaller keeps its tones, and repeats its edge beyond that', () => {
    const same = photo.cropQuad(whole, { rows, columns }).pixels;
    expect([same[0], same[5], same[3 * columns + 7]]).toEqual([0, 5, 10]);
    const smaller = photo.cropQuad(whole, { rows: rows / 4, columns: columns / 4 }).pixels;
    expect(Math.abs(smaller[0]! - 3)).toBeLessThanOrEqual(1);
    expect(Math.abs(smaller.at(-1)! - (92 + 60 + 3))).toBeLessThanOrEqual(2);
    const beyond = photo.cropQuad(rotatedRectangle([-50, 10], 20, 2, 0), { rows: 2, columns: 20 }).pixels;
    expect([...beyond.slice(0, 20)].every((tone) => Math.abs(tone - 9) <= 1)).toBe(true);
  });
});

describe('the peaks of a finder’s map', () => {
  const [rows, columns] = [16, 24];
  const map = () => {
    const values = new Float32Array(9 * rows * columns).fill(0);
    values.fill(-9, 0, rows * columns);
    return values;
  };
  const put = (values: Float32Array, row: number, column: number, logit: number) => {
    const cell = row * columns + column;
    values[cell] = logit;
    // 32 px to the left and right, 8 px up and down.
    [-1, -0.25, 1, -0.25, 1, 0.25, -1, 0.25].forEach((offset, at) => {
      values[(at + 1) * rows * columns + cell] = offset;
    });
  };

  it('each counter in the finder’s map is found once, the clearest first, with its corners', () => {
    const values = map();
    put(values, 4, 8, 1);
    put(values, 4, 9, 2);
    put(values, 12, 12, 4);
    expect(findPeaks({ values: map(), rows, columns }, 3)).toEqual([]);
    const found = findPeaks({ values, rows, columns }, 3);
    expect(found).toHaveLength(2);
    const { centre, along } = quadAxes(found[0]!.quad);
    expect([centre[0], centre[1], along[0]]).toEqual([
      expect.closeTo(49.5, 0),
      expect.closeTo(49.5, 0),
      expect.closeTo(32, 0),
    ]);
  });
});
