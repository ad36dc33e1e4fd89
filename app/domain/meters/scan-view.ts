import { HIGH_CONFIDENCE } from '#app/limits.ts';
import { type ConfidenceLevel, confidenceLevel } from './confidence.ts';
import type { Scan } from './schema.server.ts';

const METER_NAMES = { hobbs: 'Hobbs Meter', tachometer: 'Tachometer' } as const;

export const METER_TYPE_OPTIONS = Object.entries(METER_NAMES).map(([value, label]) => ({ value, label }));

export type ScanData = Pick<Scan, 'id' | 'meterType' | 'detectedText' | 'confidence' | 'otherText' | 'photo' | 'crop'>;

export interface ScanView {
  id: number;
  meterName: string;
  detectedText: string;
  confidence: ConfidenceLevel;
  percent: string;
  /** 'Reads 1234.5; 1284.5 would fit the photo too.' */
  alternative: string | null;
  photo: string;
  /** Null: no meter was located. */
  crop: string | null;
}

/** The percentage is rounded; the level is that of the stored number. */
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

/** Destructive below 0.8, which asks for verification. */
export function readingDetectedToast({ detectedText, confidence }: Pick<Scan, 'detectedText' | 'confidence'>) {
  const certainty = Number(confidence);
  return {
    title: 'Reading Detected',
    text: `${detectedText} · Confidence: ${confidenceLevel(certainty)}`,
    tone: certainty < HIGH_CONFIDENCE ? ('destructive' as const) : ('default' as const),
  };
}
