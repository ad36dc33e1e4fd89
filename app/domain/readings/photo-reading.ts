import { HIGH_CONFIDENCE } from '#app/limits.ts';
import { parseReading } from '../reading.ts';

export interface ConfidentScan {
  detectedText: string;
  confidence: string;
  otherText: string | null;
}

/** Returns what a confident photo shows, even where it does not fit the last reading; null for any other. */
export function photoReading(scan: ConfidentScan | null): string | null {
  if (!scan || Number(scan.confidence) < HIGH_CONFIDENCE) return null;
  return parseReading(scan.detectedText || (scan.otherText ?? '')) ?? null;
}
