import weights from './models/confidence.json';
import type { ExpectedReading } from './engine/last-reading.ts';
import type { EngineResult } from './engine/worker.ts';

interface ReadingEstimate {
  detectedText: string;
  confidence: number;
}

// Tesseract is rarely right: only its agreement is evidence.
const AGREEMENT_LOG_ODDS = Math.log(2);
const EXPECTED_LOG_ODDS = Math.log(4);
const UNEXPECTED_LOG_ODDS = -Math.log(2);
const OTHER_DIGIT_COUNT_LOG_ODDS = -Math.log(8);
// The limit is below High, because a reading suggested by the last one, or with a figure in doubt, needs verification.
const MAX_UNVERIFIED_CONFIDENCE = 0.79;

/** Estimates by a logistic fit, made with the networks and validated on other photos (docs/decisions/040). */
export function estimateConfidence({
  best,
  rival,
}: EngineResult & { best: NonNullable<EngineResult['best']> }): number {
  const length = best.digits.length;
  return logistic(
    weights.sure * logit(best.probability) +
      weights.finder * best.finder +
      weights.closer * best.closer +
      weights.second * best.second +
      weights.agree * best.agree +
      weights.rival * rival +
      weights.short * Number(length <= 4) +
      weights.long * Number(length >= 7) +
      weights.constant,
  );
}

export function boostForAgreement(confidence: number): number {
  return logistic(logit(confidence) + AGREEMENT_LOG_ODDS);
}

/** Lowers the confidence: a different digit count most likely means a missed digit. */
export function penalizeDigitCount(confidence: number): number {
  return logistic(logit(confidence) + OTHER_DIGIT_COUNT_LOG_ODDS);
}

/** Keeps the confidence below High, however likely the whole is. */
export function capBelowHigh(confidence: number): number {
  return Math.min(confidence, MAX_UNVERIFIED_CONFIDENCE);
}

/** Adjusts the reading by the one expected after the last reading: equal is likelier, other is less likely. */
export function combineWithExpectedReading(
  free: ReadingEstimate,
  expected: ExpectedReading | undefined,
): ReadingEstimate & { otherText?: string } {
  if (!expected) return free;
  const sure = expected.share >= 0.9;
  if (expected.reading === free.detectedText) {
    return {
      ...free,
      confidence: logistic(logit(free.confidence) + (sure && expected.near ? EXPECTED_LOG_ODDS : UNEXPECTED_LOG_ODDS)),
    };
  }
  const confidence = Math.min(
    MAX_UNVERIFIED_CONFIDENCE,
    expected.probability >= 0.3 && sure ? MAX_UNVERIFIED_CONFIDENCE : expected.share * 0.6,
  );
  return { detectedText: expected.reading, confidence, otherText: free.detectedText };
}

function logit(probability: number): number {
  const p = Math.min(Math.max(probability, 1e-4), 1 - 1e-4);
  return Math.log(p / (1 - p));
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
