import { rotatedRectangle } from '#app/domain/meters/engine/geometry.ts';
import { SYMBOLS_PER_STEP } from '#app/domain/meters/engine/ctc.ts';
import type { PhotoRegion } from '#app/domain/meters/engine/meter-context.ts';
import { probabilityWithPrior } from '#app/domain/meters/engine/last-reading.ts';
import type { DetectedMeter } from '#app/domain/meters/engine/reader.ts';
import { type EngineResult, toEvidence } from '#app/domain/meters/engine/result.ts';
import type { EngineRequest } from '#app/domain/meters/engine/worker.ts';
import { CODE_ROWS, CODE_COLUMNS, ROLLING } from './coded-meter.ts';

/** Stands in for `engine.server.ts`: it reads coded meters, and nothing else, without a net or a thread. */
export class EngineUnavailableError extends Error {}

const LEFT: PhotoRegion = { x: 0, y: 0, width: 0.5, height: 1 };
const RIGHT: PhotoRegion = { x: 0.5, y: 0, width: 0.5, height: 1 };
const WHOLE: PhotoRegion = { x: 0, y: 0, width: 1, height: 1 };
const CERTAIN_CONTRAST = 120;
const LEAST_CONTRAST = 30;
/** What a figure of a doubtful picture has; the rest says that there is none. */
const DOUBTFUL_SHARE = 0.8;
const LEAST_SHARE = 1e-7;

export async function runEngine(request: EngineRequest): Promise<EngineResult> {
  const { frame, rgb, rows, columns, ...known } = request;
  if (rgb.length !== 3 * rows * columns) throw new Error('a picture of another size than it says');
  const [seen] = [frame ?? [], WHOLE, LEFT].flat().flatMap((part) => cellsIn(request, part) ?? []);
  if (!seen) return {};
  const right = frame ? undefined : cellsIn(request, RIGHT);
  const counters = [sightingOf(seen, seen.contrast >= CERTAIN_CONTRAST), ...(right ? [sightingOf(right, true)] : [])];
  const [best, other] = counters.toSorted((a, b) => probabilityWithPrior(b, known) - probabilityWithPrior(a, known));
  const strip = { pixels: new Uint8Array(CODE_COLUMNS * CODE_ROWS).fill(128), rows: CODE_ROWS, columns: CODE_COLUMNS };
  return { ...(best && { best: { ...toEvidence(best, 0, known), strip } }), other: other?.digits };
}

export async function stopEngine(): Promise<void> {}

interface Cells {
  digits: string;
  isRolling: boolean;
  contrast: number;
}

/** The digits of a grid that fills this part of the picture; undefined where there is no such grid. */
function cellsIn(picture: EngineRequest, part: PhotoRegion): Cells | undefined {
  const tones = Array.from({ length: 1 + CODE_ROWS }, (_, row) =>
    Array.from({ length: CODE_COLUMNS }, (_, column) =>
      toneAt(
        picture,
        part.x + (part.width * (column + 0.5)) / CODE_COLUMNS,
        part.y + (part.height * (row + 0.5)) / (1 + CODE_ROWS),
      ),
    ),
  );
  const [head = [], ...bits] = tones;
  const middle = head.reduce((sum, tone) => sum + tone, 0) / CODE_COLUMNS;
  const contrast = Math.min(...head.map((tone, column) => (column % 2 === 0 ? tone - middle : middle - tone))) * 2;
  if (contrast < LEAST_CONTRAST) return undefined;
  const digits = head.map((_, column) =>
    bits.reduce((sum, tones, bit) => sum + (Number(tones[column]) > middle ? 1 << bit : 0), 0),
  );
  return { digits: digits.filter((digit) => digit <= 9).join(''), isRolling: digits.includes(ROLLING), contrast };
}

function toneAt({ rgb, rows, columns }: EngineRequest, x: number, y: number): number {
  const [row, column] = [Math.min(Math.floor(y * rows), rows - 1), Math.min(Math.floor(x * columns), columns - 1)];
  return rgb[3 * (row * columns + column)] ?? 0;
}

function sightingOf({ digits, isRolling }: Cells, certain: boolean): DetectedMeter {
  const looks = certain
    ? { probability: 0.9999, finder: 0.99, closer: 0.99 }
    : { probability: 0.3, finder: 0.5, closer: 0.5 };
  const steps = [stepsOf(digits, isRolling, certain ? 1 : DOUBTFUL_SHARE)];
  return { quad: rotatedRectangle([0, 0], 6, 1, 0), digits, steps, ...looks };
}

/** Log probabilities of steps that spell these digits, each with its share or no digit; of a rolling last one, the next figure too. */
function stepsOf(digits: string, isRolling: boolean, certainty: number): Float32Array {
  const symbols = [...digits].flatMap((digit) => [0, Number(digit) + 1]);
  const next = isRolling ? ((Number(digits.at(-1)) + 1) % 10) + 1 : undefined;
  const shareOf = (symbol: number, shown: number | undefined, at: number) => {
    const isSplit = next !== undefined && at === symbols.length - 1;
    if (symbol === shown) return (isSplit ? 0.6 : 1) * (shown === 0 ? 1 : certainty);
    if (symbol === 0) return Math.max(1 - certainty, LEAST_SHARE);
    return isSplit && symbol === next ? 0.4 * certainty : LEAST_SHARE;
  };
  return Float32Array.from(
    symbols.flatMap((shown, at) =>
      Array.from({ length: SYMBOLS_PER_STEP }, (_, symbol) => Math.log(shareOf(symbol, shown, at))),
    ),
  );
}
