import weights from './models/confidence.json';
import type { ExpectedReading } from './engine/last-reading.ts';
import type { EngineResult } from './engine/worker.ts';

interface Likely {
  detectedText: string;
  confidence: number;
}

// Tesseract is right so seldom that its agreement says something and its silence nothing.
const AGREEMENT = Math.log(2);
const AS_EXPECTED = Math.log(4);
const UNEXPECTED = -Math.log(2);
const OTHER_LENGTH = -Math.log(8);
// What the last reading suggests and the photo alone does not is for a person to verify: below High.
const VERIFY = 0.79;

/** How likely the engine's best sighting is right: a logistic fit, made with the nets and measured on other photos. */
export function confidenceOf({ best, rival }: EngineResult & { best: NonNullable<EngineResult['best']> }): number {
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

/** The confidence when the second voice agrees. */
export function boostForAgreement(confidence: number): number {
  return logistic(logit(confidence) + AGREEMENT);
}

/** The confidence when the meter has shown another number of digits before: most likely one was not seen. */
export function penalizeDigitCount(confidence: number): number {
  return logistic(logit(confidence) + OTHER_LENGTH);
}

/**
 * A reading of the photo alone beside the likeliest one soon after the last reading, if there is a last one: the same
 * is likelier to be right, another one is taken but says so, and a reading elsewhere is less likely.
 */
export function combineWithExpected(
  free: Likely,
  expected: ExpectedReading | undefined,
): Likely & { otherText?: string } {
  if (!expected) return free;
  const sure = expected.share >= 0.9;
  if (expected.reading === free.detectedText) {
    return {
      ...free,
      confidence: logistic(logit(free.confidence) + (sure && expected.near ? AS_EXPECTED : UNEXPECTED)),
    };
  }
  const confidence = Math.min(VERIFY, expected.probability >= 0.3 && sure ? VERIFY : expected.share * 0.6);
  return { detectedText: expected.reading, confidence, otherText: free.detectedText };
}

function logit(probability: number): number {
  const p = Math.min(Math.max(probability, 1e-4), 1 - 1e-4);
  return Math.log(p / (1 - p));
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
