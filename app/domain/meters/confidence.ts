import { HIGH_CONFIDENCE, MEDIUM_CONFIDENCE } from '#app/limits.ts';

export type ConfidenceLevel = 'High' | 'Medium' | 'Low';

/** Returns High from 0.8, Medium from 0.5. */
export function confidenceLevel(confidence: number): ConfidenceLevel {
  if (confidence >= HIGH_CONFIDENCE) return 'High';
  return confidence >= MEDIUM_CONFIDENCE ? 'Medium' : 'Low';
}

export function isAboveHighConfidence(confidence: number): boolean {
  return confidence > HIGH_CONFIDENCE;
}

/** Returns hundredths, never rounded up, so that 0.799 stays Medium. */
export function toStoredConfidence(confidence: number): string {
  return (Math.floor(confidence * 100 + 1e-6) / 100).toFixed(2);
}
