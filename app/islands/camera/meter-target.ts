import type { ScanData, ScanView } from '#app/domain/meters/scan-view.ts';

/** The meter that a photo shows, and the input that its reading fills. */
export interface MeterTarget {
  aircraftId: number;
  meterType: ScanData['meterType'];
  readingId: string;
  onScan: (scan: ScanView) => void;
}
