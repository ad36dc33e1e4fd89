import {
  type CalibrationPoints,
  type Evidence,
  evidenceOfEarlierFigures,
  evidenceOfLastFigure,
  logistic,
  weightedSum,
} from '#app/domain/meters/confidence-model.ts';
import type { MeterEvidence } from '#app/domain/meters/engine/result.ts';

/** A counter that was read and the figures that it showed, leading zeros included. */
export interface Example {
  evidence: MeterEvidence;
  truth: string;
}

const RIDGE = 0.3;
const NEWTON_STEPS = 40;
/** Examples of one point of the calibration at least. */
const MIN_BLOCK = 25;

/** Fits how likely the last figure and those before it are right, and how often what the two say together is. */
export function fitConfidence(examples: Example[]) {
  const readable = examples.filter(({ evidence: { expected } }) => expected?.near !== false);
  const front = fitLogistic(
    readable.map((one) => ({ evidence: evidenceOfEarlierFigures(one.evidence), isRight: isFrontRight(one) })),
  );
  const last = fitLogistic(
    readable
      .filter(isFrontRight)
      .map((one) => ({ evidence: evidenceOfLastFigure(one.evidence), isRight: isRight(one) })),
  );
  const line = (isNear: boolean) =>
    fitCalibration(
      readable
        .filter(({ evidence }) => (evidence.expected?.near ?? false) === isNear)
        .map((one) => [
          logistic(weightedSum(evidenceOfEarlierFigures(one.evidence), front)) *
            logistic(weightedSum(evidenceOfLastFigure(one.evidence), last)),
          isRight(one),
        ]),
    );
  return { front, last, free: line(false), near: line(true) };
}

function isRight({ evidence, truth }: Example): boolean {
  return withoutZeros(evidence.digits) === withoutZeros(truth);
}

function isFrontRight({ evidence, truth }: Example): boolean {
  return withoutZeros(evidence.digits.slice(0, -1)) === withoutZeros(truth.slice(0, -1));
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+/, '');
}

/** Finds the weights by Newton's steps with a small ridge on all but the constant. */
function fitLogistic(examples: { evidence: Evidence; isRight: boolean }[]): Evidence {
  const names = Object.keys(examples[0]?.evidence ?? {});
  const rows = examples.map(({ evidence }) => names.map((name) => evidence[name] ?? 0));
  let weights = names.map(() => 0);
  for (let step = 0; step < NEWTON_STEPS; step += 1) {
    const slope = names.map((name, at) => (name === 'constant' ? 0 : RIDGE * (weights[at] ?? 0)));
    const curve = names.map((name, at) => names.map((_, to) => (to === at ? (name === 'constant' ? 1e-6 : RIDGE) : 0)));
    rows.forEach((row, at) => {
      const p = logistic(row.reduce((total, value, to) => total + value * (weights[to] ?? 0), 0));
      const off = p - Number(examples[at]?.isRight);
      row.forEach((a, i) => {
        slope[i]! += a * off;
        row.forEach((b, j) => (curve[i]![j]! += a * b * p * (1 - p)));
      });
    });
    const change = solve(curve, slope);
    weights = weights.map((weight, at) => weight - (change[at] ?? 0));
  }
  return Object.fromEntries(names.map((name, at) => [name, rounded(weights[at] ?? 0)]));
}

/** Solves a positive definite system by elimination. */
function solve(matrix: number[][], vector: number[]): number[] {
  const rows = matrix.map((row, at) => [...row, vector[at] ?? 0]);
  rows.forEach((pivot, at) => {
    rows.forEach((row, other) => {
      const times = other === at ? 0 : row[at]! / pivot[at]!;
      if (times !== 0) pivot.forEach((value, to) => (row[to]! -= times * value));
    });
  });
  return rows.map((row, at) => row.at(-1)! / row[at]!);
}

/** Returns the line that never falls and is nearest to what was right, by pooling neighbours that stand the wrong way round. */
function fitCalibration(examples: [says: number, isRight: boolean][]): CalibrationPoints {
  const blocks: { count: number; says: number; right: number }[] = [];
  const share = ({ right, count }: { right: number; count: number }) => right / count;
  for (const [says, right] of examples.toSorted(([a], [b]) => a - b)) {
    blocks.push({ count: 1, says, right: Number(right) });
    for (;;) {
      const [before, last] = blocks.slice(-2);
      if (!before || !last || (share(last) > share(before) && before.count >= MIN_BLOCK)) break;
      const { count, says: sum, right: sumRight } = last;
      blocks.splice(-2, 2, { count: before.count + count, says: before.says + sum, right: before.right + sumRight });
    }
  }
  const last = blocks.at(-1);
  const before = blocks.at(-2);
  if (last && before && last.count < MIN_BLOCK) {
    const pooled = {
      count: before.count + last.count,
      says: before.says + last.says,
      right: before.right + last.right,
    };
    blocks.splice(-2, 2, pooled);
  }
  // Half an example of either kind is added: nothing is always right.
  return blocks.map(({ count, says, right }) => [rounded(says / count), rounded((right + 0.5) / (count + 1))]);
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
