import type { ScanData, ScanView } from '#app/domain/meters/scan-view.ts';

export interface MeterTarget {
  aircraftId: number;
  meterType: ScanData['meterType'];
  readingId: string;
  onScan: (scan: ScanView) => void;
}
