import { HIGH_CONFIDENCE } from '#app/limits.ts';
import model from './models/confidence.json';
import type { MeterEvidence } from './engine/result.ts';

export type Evidence = Record<string, number>;

/** Points of a line that never falls, from what the fit says to how often that is right. */
export type CalibrationPoints = readonly (readonly number[])[];

const OTHER_DIGIT_COUNT_LOG_ODDS = -Math.log(8);
const UNEXPECTED_LOG_ODDS = -Math.log(8);
// The limit is below High, because a reading suggested by the last one, or with a figure in doubt, needs verification.
const MAX_UNVERIFIED_CONFIDENCE = 0.79;

export interface ConfidenceEstimate {
  /** How often such a reading is right, 0 to 1. */
  confidence: number;
  /** Before it was compared with what such readings turned out to be; it tells a meter from what is none. */
  raw: number;
  isLastSure: boolean;
}

/** Estimates how likely a reading is right by two fits, of its last figure and of those before it (docs/decisions/040). */
export function estimateConfidence(evidence: MeterEvidence, knownDigits: number | undefined): ConfidenceEstimate {
  const { expected, digits } = evidence;
  const isOtherCount = knownDigits !== undefined && digits.length !== knownDigits;
  const front = logistic(
    weightedSum(evidenceOfEarlierFigures(evidence), model.front) +
      (isOtherCount ? OTHER_DIGIT_COUNT_LOG_ODDS : 0) +
      (expected && !expected.near ? UNEXPECTED_LOG_ODDS : 0),
  );
  const last = logistic(weightedSum(evidenceOfLastFigure(evidence), model.last));
  const confidence = calibrate(front * last, expected?.near ? model.near : model.free);
  return { confidence: keepSure(confidence), raw: front * last, isLastSure: last >= model.sureLast };
}

/** Returns what speaks for the figures before the last one; the last reading counts here. */
export function evidenceOfEarlierFigures({ front, closer, rival, expected }: MeterEvidence): Evidence {
  return { front: logit(front), closer, rival, near: Number(expected?.near ?? false), constant: 1 };
}

/** Returns what speaks for the last figure; the last reading knows nothing of it. */
export function evidenceOfLastFigure({ figures }: MeterEvidence): Evidence {
  return { share: logit(figures.at(-1)?.share ?? 0), constant: 1 };
}

export function weightedSum(evidence: Evidence, weights: Evidence): number {
  return Object.entries(evidence).reduce((total, [name, value]) => total + value * (weights[name] ?? 0), 0);
}

/** Keeps the confidence below High, however likely the whole is. */
export function capBelowHigh(confidence: number): number {
  return Math.min(confidence, MAX_UNVERIFIED_CONFIDENCE);
}

/** A reading is sure only where such readings are hardly ever wrong: hours are billed by it. */
function keepSure(confidence: number): number {
  return confidence >= model.sure ? Math.max(confidence, HIGH_CONFIDENCE) : capBelowHigh(confidence);
}

function calibrate(probability: number, line: CalibrationPoints): number {
  const after = line.findIndex(([x = 0]) => x > probability);
  const [x1 = 1, y1 = 1] = line[after] ?? line.at(-1) ?? [];
  const [x0 = x1, y0 = y1] = line[after - 1] ?? line[after] ?? [];
  return x1 > x0 ? y0 + ((y1 - y0) * (probability - x0)) / (x1 - x0) : y1;
}

function logit(probability: number): number {
  const p = Math.min(Math.max(probability, 1e-4), 1 - 1e-4);
  return Math.log(p / (1 - p));
}

export function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
