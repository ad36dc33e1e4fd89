import { setInputValue } from '#app/ui/forms/set-input-value.ts';
import { showToast } from '#app/ui/page/toast-region.tsx';
import { readingDetectedToast, type ScanData, toScanView } from '#app/domain/meters/scan-view.ts';
import type { MeterTarget } from './meter-target.ts';

/** Fills the reading in, leads the pilot back to it, and says what was read (spec §8). */
export function fillReading(scan: ScanData, { readingId, onScan }: MeterTarget): void {
  const input = document.getElementById(readingId);
  // The page may have been left while the photo was read.
  if (!(input instanceof HTMLInputElement)) return;
  setInputValue(input, scan.detectedText);
  onScan(toScanView(scan));
  input.focus();
  showToast(readingDetectedToast(scan));
}
