import { HIGH_CONFIDENCE } from '#app/limits.ts';
import { type ConfidenceLevel, confidenceLevel } from './confidence.ts';
import { choicesOf, doubtText, withLastFigure } from './figures.ts';
import type { Scan } from './schema.server.ts';

const COUNTER_NOT_FOUND = 'The counter that fits the last reading was not found.';

const METER_NAMES = { hobbs: 'Hobbs Meter', tachometer: 'Tachometer' } as const;

export const METER_TYPE_OPTIONS = Object.entries(METER_NAMES).map(([value, label]) => ({ value, label }));

/** A scan; its id is null where another reader of photos stores none. */
export type ScanData = Omit<Scan, 'id' | 'aircraft' | 'createdAt'> & { id: Scan['id'] | null };

export interface ScanView {
  id: number | null;
  meterName: string;
  detectedText: string;
  confidence: ConfidenceLevel;
  percent: string;
  other: string | null;
  /** Text such as 'Reads 1234.5; 1284.5 would fit the photo too.' */
  alternative: string | null;
  /** Text such as 'The last drum stands between 3 and 4.' */
  doubt: string | null;
  doubtful: boolean[];
  /** Readings with either neighbour as last figure, if the last drum is in doubt; else none. */
  choices: string[];
  photo: string;
  crop: string | null;
}

/** Makes the view; the percentage is rounded, the level is that of the stored number. */
export function toScanView(scan: ScanData): ScanView {
  const { id, meterType, detectedText, confidence, figures, photo, crop } = scan;
  return {
    id,
    meterName: METER_NAMES[meterType],
    detectedText,
    confidence: confidenceLevel(Number(confidence)),
    percent: `${Math.round(Number(confidence) * 100)}%`,
    other: scan.otherText,
    alternative: alternativeText(scan),
    doubt: doubtText(figures),
    doubtful: figures.map(({ other }) => other !== null),
    choices: readingChoices(scan),
    photo,
    crop,
  };
}

/** Returns the two readings that a scan leaves open by its last figure; none if that is not in doubt. */
export function readingChoices({ detectedText, figures }: Pick<ScanData, 'detectedText' | 'figures'>): string[] {
  const [last] = figures.slice(-1);
  if (!last || detectedText === '') return [];
  return choicesOf(last).map((figure) => withLastFigure(detectedText, figure));
}

function alternativeText({ detectedText, otherText, otherKind }: ScanData): string | null {
  if (otherText === null) return null;
  if (detectedText === '') return `${COUNTER_NOT_FOUND} ${otherText} is in the photo.`;
  const why = otherKind === 'other counter' ? 'is in the photo too' : 'would fit the photo too';
  return `Reads ${detectedText}; ${otherText} ${why}.`;
}

/** Makes a toast, which is destructive below 0.8 and asks for verification. */
export function readingDetectedToast({ detectedText, confidence }: Pick<Scan, 'detectedText' | 'confidence'>) {
  if (detectedText === '') return { title: 'Error', text: COUNTER_NOT_FOUND, tone: 'destructive' as const };
  const certainty = Number(confidence);
  return {
    title: 'Reading Detected',
    text: `${detectedText} · Confidence: ${confidenceLevel(certainty)}`,
    tone: certainty < HIGH_CONFIDENCE ? ('destructive' as const) : ('default' as const),
  };
}
