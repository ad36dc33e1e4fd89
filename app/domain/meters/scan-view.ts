import { HIGH_CONFIDENCE } from '#app/limits.ts';
import { type ConfidenceLevel, confidenceLevel } from './confidence.ts';
import type { Scan } from './schema.server.ts';

const METER_NAMES = { hobbs: 'Hobbs Meter', tachometer: 'Tachometer' } as const;

/** The meter types by the names that screens call them (spec §2). */
export const METER_TYPE_OPTIONS = Object.entries(METER_NAMES).map(([value, label]) => ({ value, label }));

/** What of a scan is shown. */
export type ScanData = Pick<Scan, 'id' | 'meterType' | 'detectedText' | 'confidence' | 'otherText' | 'photo' | 'crop'>;

export interface ScanView {
  id: number;
  meterName: string;
  detectedText: string;
  confidence: ConfidenceLevel;
  /** '86%' */
  percent: string;
  /** 'Reads 1234.5; 1284.5 would fit the photo too.' Null: nothing else would. */
  alternative: string | null;
  /** Where the photo is served. */
  photo: string;
  /** Where the counter as it was read is served; null where no counter was found. */
  crop: string | null;
}

/** A scan as pages show it; the percent is rounded, the word is of the stored number (C65, C66). */
export function toScanView({ id, meterType, detectedText, confidence, otherText, photo, crop }: ScanData): ScanView {
  return {
    id,
    meterName: METER_NAMES[meterType],
    detectedText,
    confidence: confidenceLevel(Number(confidence)),
    percent: `${Math.round(Number(confidence) * 100)}%`,
    alternative: otherText === null ? null : `Reads ${detectedText}; ${otherText} would fit the photo too.`,
    photo,
    crop,
  };
}

/** What a toast says of a reading; destructive below 0.8, where it wants a second look (spec §8, C66). */
export function readingDetectedToast({ detectedText, confidence }: Pick<Scan, 'detectedText' | 'confidence'>) {
  const certainty = Number(confidence);
  return {
    title: 'Reading Detected',
    text: `${detectedText} · Confidence: ${confidenceLevel(certainty)}`,
    tone: certainty < HIGH_CONFIDENCE ? ('destructive' as const) : ('default' as const),
  };
}
