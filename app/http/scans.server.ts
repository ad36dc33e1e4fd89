import type { ShownScan } from '../components/scan-result.tsx';
import { confidenceWord } from '../domain/meters/confidence.ts';
import type { Scan } from '../domain/meters/queries.server.ts';

const METER_NAMES = { hobbs: 'Hobbs Meter', tachometer: 'Tachometer' } as const;

/** The meter types by the names that screens call them (spec §2). */
export const METER_CHOICES = Object.entries(METER_NAMES).map(([value, label]) => ({ value, label }));

/** A scan as pages show it; the percent is rounded, the word is of the stored number (C65, C66). */
export function shownScan({ id, meterType, detectedText, confidence, photo }: Scan): ShownScan {
  return {
    id,
    meterName: METER_NAMES[meterType],
    detectedText,
    confidence: confidenceWord(Number(confidence)),
    percent: `${Math.round(Number(confidence) * 100)}%`,
    photo,
  };
}
