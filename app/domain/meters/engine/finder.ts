import { quadAxes, type Point, type Quad } from './geometry.ts';

/** Output of a finder network: nine planes at a quarter of the image's size. */
export interface FinderOutput {
  values: Float32Array;
  rows: number;
  columns: number;
}

export interface Peak {
  /** Score from 0 to 1. */
  score: number;
  /** Corners in pixels of the network's input. */
  quad: Quad;
}

const CELL_PIXELS = 4;
const OFFSET = 32;
const MIN_SCORE = 0.08;

/** Returns the `maxPeaks` highest centres, best first, by non-maximum suppression. */
export function findPeaks({ values, rows, columns }: FinderOutput, maxPeaks: number): Peak[] {
  const scores = values.subarray(0, rows * columns).map((logit) => 1 / (1 + Math.exp(-logit)));
  const left = scores.slice();
  const found: Peak[] = [];
  while (found.length < maxPeaks) {
    const at = left.reduce((best, score, here) => (score > left[best]! ? here : best), 0);
    if (left[at]! < MIN_SCORE) break;
    const cells = neighbourCells(Math.floor(at / columns), at % columns, rows, columns);
    const quad = meanQuad(values, scores, cells, rows, columns);
    found.push({ score: scores[at]!, quad });
    for (const [row, column] of cells) left[row * columns + column] = 0;
    suppress(left, quad, rows, columns);
  }
  return found;
}

function neighbourCells(row: number, column: number, rows: number, columns: number): Point[] {
  const cells: Point[] = [];
  for (let y = Math.max(row - 1, 0); y < Math.min(row + 2, rows); y += 1) {
    for (let x = Math.max(column - 2, 0); x < Math.min(column + 3, columns); x += 1) cells.push([y, x]);
  }
  return cells;
}

/** Averages the corners, weighted by squared score. */
function meanQuad(values: Float32Array, scores: Float32Array, cells: Point[], rows: number, columns: number): Quad {
  const sums = new Float64Array(8);
  let total = 0;
  for (const [row, column] of cells) {
    const cell = row * columns + column;
    const share = scores[cell]! ** 2;
    total += share;
    for (let plane = 0; plane < 8; plane += 1) {
      const from = cellCentre(plane % 2 === 0 ? column : row);
      sums[plane]! += share * (values[(plane + 1) * rows * columns + cell]! * OFFSET + from);
    }
  }
  const corner = (at: number): Point => [sums[2 * at]! / total, sums[2 * at + 1]! / total];
  return [corner(0), corner(1), corner(2), corner(3)];
}

function suppress(scores: Float32Array, quad: Quad, rows: number, columns: number): void {
  const { centre, along, down } = quadAxes(quad);
  const [wide, tall] = [Math.max(along[0] ** 2 + along[1] ** 2, 1), Math.max(down[0] ** 2 + down[1] ** 2, 1)];
  for (let cell = 0; cell < scores.length; cell += 1) {
    const [x, y] = [cellCentre(cell % columns) - centre[0], cellCentre(Math.floor(cell / columns)) - centre[1]];
    const u = (x * along[0] + y * along[1]) / wide;
    const v = (x * down[0] + y * down[1]) / tall;
    if (Math.abs(u) < 1.2 && Math.abs(v) < 1.2) scores[cell] = 0;
  }
}

function cellCentre(cell: number): number {
  return cell * CELL_PIXELS + (CELL_PIXELS - 1) / 2;
}
