import type { ScanView } from '#app/domain/meters/scan-view.ts';
import { photoReading } from '#app/domain/readings/check-start.ts';

export function confidentReading(scan: ScanView | null | undefined): string | null {
  if (!scan) return null;
  const { detectedText, other: otherText, confidence } = scan;
  return photoReading({ detectedText, otherText, confidence: confidence === 'High' ? '1' : '0' });
}
