import type { ScanData, ScanView } from '#app/domain/meters/scan-view.ts';

/** The meter that a photo is of, and the reading that it fills. */
export interface MeterTarget {
  aircraftId: number;
  meterType: ScanData['meterType'];
  /** The id of the reading's own input. */
  readingId: string;
  /** Shows the scan beside the reading, and has the form carry it along. */
  onScan: (scan: ScanView) => void;
}
