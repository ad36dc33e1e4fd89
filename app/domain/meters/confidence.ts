import { HIGH_CONFIDENCE, MEDIUM_CONFIDENCE } from '#app/limits.ts';

export type ConfidenceLevel = 'High' | 'Medium' | 'Low';

/** The word for a confidence of 0 to 1: High from 0.8, Medium from 0.5 (spec §8, §9). */
export function confidenceLevel(confidence: number): ConfidenceLevel {
  if (confidence >= HIGH_CONFIDENCE) return 'High';
  return confidence >= MEDIUM_CONFIDENCE ? 'Medium' : 'Low';
}

/** Only above 0.8 does the history's badge stand out (spec §2; C66: the stored number counts, not the percent). */
export function isHighlighted(confidence: number): boolean {
  return confidence > HIGH_CONFIDENCE;
}

/** A confidence of 0 to 1 as it is stored, in hundredths and never rounded up: 0.799 is Medium, in history too. */
export function toStoredConfidence(confidence: number): string {
  return (Math.floor(confidence * 100 + 1e-6) / 100).toFixed(2);
}
