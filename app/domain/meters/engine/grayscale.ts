import { quadAxes, unitSquareToQuad, mapCorners, type Quad, type Size } from './geometry.ts';

/** An image of one byte per pixel, row by row. */
export interface GrayscaleImage extends Size {
  pixels: Uint8Array;
}

/** Returns the luma of sRGB with three bytes per pixel. */
export function toGrayscale(rgb: Uint8Array, { rows, columns }: Size): GrayscaleImage {
  if (rgb.length !== 3 * rows * columns || rgb.length === 0) throw new Error('a picture of another size than it says');
  const pixels = new Uint8Array(rows * columns);
  for (let at = 0; at < pixels.length; at += 1) {
    pixels[at] = 0.299 * rgb[3 * at]! + 0.587 * rgb[3 * at + 1]! + 0.114 * rgb[3 * at + 2]! + 0.5;
  }
  return { pixels, rows, columns };
}

/** Keeps halved copies (mipmaps), so that cutting a large part does not alias. */
export class ImagePyramid {
  readonly #levels: GrayscaleImage[];

  constructor(grey: GrayscaleImage) {
    this.#levels = [grey];
  }

  get size(): Size {
    return this.level(0);
  }

  /** Rectifies the quad; repeats the photo's edge outside of it. */
  cropQuad(quad: Quad, size: Size): GrayscaleImage {
    const { along, down } = quadAxes(quad);
    let shrink = Math.min((2 * Math.hypot(...along)) / size.columns, (2 * Math.hypot(...down)) / size.rows);
    let halvings = 0;
    for (; shrink >= 1.6; shrink /= 2) halvings += 1;
    const scale = 2 ** halvings;
    return sampleQuad(
      this.level(halvings),
      mapCorners(quad, ([x, y]) => [x / scale, y / scale]),
      size,
    );
  }

  private level(at: number): GrayscaleImage {
    for (let from = this.#levels.length; from <= at; from += 1) this.#levels.push(halve(this.#levels[from - 1]!));
    return this.#levels[at]!;
  }
}

function halve({ pixels, rows, columns }: GrayscaleImage): GrayscaleImage {
  const half = { rows: Math.max(rows >> 1, 1), columns: Math.max(columns >> 1, 1) };
  const made = new Uint8Array(half.rows * half.columns);
  const [down, right] = [rows > 1 ? columns : 0, columns > 1 ? 1 : 0];
  for (let y = 0, at = 0; y < half.rows; y += 1) {
    for (let x = 0; x < half.columns; x += 1, at += 1) {
      const from = 2 * y * columns + 2 * x;
      const sum = pixels[from]! + pixels[from + right]! + pixels[from + down]! + pixels[from + down + right]!;
      made[at] = (sum + 2) >> 2;
    }
  }
  return { pixels: made, ...half };
}

function sampleQuad(from: GrayscaleImage, quad: Quad, { rows, columns }: Size): GrayscaleImage {
  const pixels = new Uint8Array(rows * columns);
  const place = unitSquareToQuad(quad);
  for (let row = 0, at = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1, at += 1) {
      const [x, y] = place((column + 0.5) / columns, (row + 0.5) / rows);
      pixels[at] = interpolate(from, x - 0.5, y - 0.5) + 0.5;
    }
  }
  return { pixels, rows, columns };
}

function interpolate({ pixels, rows, columns }: GrayscaleImage, x: number, y: number): number {
  const [cx, cy] = [clamp(x, columns - 1), clamp(y, rows - 1)];
  const [left, top] = [Math.floor(cx), Math.floor(cy)];
  const [right, bottom] = [Math.min(left + 1, columns - 1), Math.min(top + 1, rows - 1)];
  const [fx, fy] = [cx - left, cy - top];
  const upper = pixels[top * columns + left]! * (1 - fx) + pixels[top * columns + right]! * fx;
  const lower = pixels[bottom * columns + left]! * (1 - fx) + pixels[bottom * columns + right]! * fx;
  return upper * (1 - fy) + lower * fy;
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most);
}
