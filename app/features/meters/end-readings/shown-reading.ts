import type { ScanView } from '#app/domain/meters/scan-view.ts';
import { photoReading } from '#app/domain/readings/photo-reading.ts';

export function confidentReading(scan: ScanView | null | undefined): string | null {
  return scan
    ? photoReading({ detectedText: scan.detectedText, confidence: scan.confidence === 'High' ? '1' : '0' })
    : null;
}
